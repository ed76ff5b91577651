#if !canImport(Combine)
import DaybookTestSupport
import Foundation
import Testing

/// Type-checks the Combine code against a stand-in on platforms without Combine.
@Suite struct PublisherTests {
    @Test func `the publishers compile with Combine`() throws {
        let use = """
            func use<E: Entity>(_ box: Box<E>, _ query: Query<E>) -> [AnyCancellable] {
                [box.publisher, query.publisher].map { publisher in
                    publisher.sink { completion in
                        if case .failure(let error) = completion { print(error.code) }
                    } receiveValue: { (objects: [E]) in
                        print(objects.count)
                    }
                }
            }
            """
        let problems = try StandInModule("Combine").problems(
            in: "Sources/DaybookObjectBox/Observation/Query+Publisher.swift",
            of: "DaybookObjectBox",
            with: use)
        #expect(problems == "")
    }
}
#endif
