import Daybook
import DaybookObjectBox
import DaybookTestSupport
import Foundation
import Testing

/// The vectors and numbers of searches as parameters, and in text queries.
@Suite struct VectorParameterTests {
    private let directory = TemporaryDirectory()

    private func open() throws -> Store {
        try Store(directory: directory.url, entities: Spot.self)
    }

    @Test func `the vector and the number of a search are parameters`() throws {
        let store = try open()
        let box = store.box(for: Spot.self)
        try box.put((1...9).map { Spot(group: 1, position: [Float($0), 0, 0]) })
        let query = box.query(Spot.group == 1 && Spot.position.nearest(to: [5.2, 0, 0], count: 2))
        #expect(try query.findIds().map(\.value) == [5, 6])
        let other = try query.setting(Spot.position, nearestTo: [8.9, 0, 0])
        #expect(try other.findIds().map(\.value) == [9, 8])
        let more = try other.setting(Spot.position, nearestCount: 3).setting(Spot.group, to: 1)
        #expect(try more.findIds().map(\.value) == [9, 8, 7])
        let named = box.query(Spot.position.nearest(to: [1, 0, 0], count: 1).named("near"))
        let both = try named.setting("near", nearestTo: [4, 0, 0]).setting("near", nearestCount: 2)
        #expect(try both.findIds().map(\.value).first == 4 && both.count() == 2)
        for name in ["far", "near"] {
            let error = expectError(.invalidArgument) {
                _ = try named.setting(name, to: 3).find()
            }
            #expect(error?.message.contains(name == "far" ? "'far'" : "nearestTo") == true)
        }
        expectError(.invalidArgument) { _ = try named.setting("near", nearestTo: [1]).find() }
        store.close()
    }

    @Test func `ObjectBox's setters change the vector and the number of a search in place`() throws
    {
        let store = try open()
        let box = store.box(for: Spot.self)
        try box.put((1...9).map { Spot(position: [Float($0), 0, 0]) })
        let query = box.query { "near" .= Spot.position.nearest(to: [5.2, 0, 0], count: 2) }
        query.setParameter(Spot.position, to: 1)
        #expect(try query.findIds().map(\.value) == [5])
        query.setParameter(Spot.position, to: [8.9, 0, 0])
        #expect(try query.findIds().map(\.value) == [9])
        query.setParameter("near", to: 2)
        #expect(try query.findIds().map(\.value) == [9, 8])
        query.setParameter("near", to: [1.1, 0, 0])
        #expect(try query.findIds().map(\.value) == [1, 2])
        query.setParameter("near", to: "x")
        expectError(.invalidArgument) { _ = try query.find() }
        store.close()
    }

    @Test func `a text query searches for nearest neighbours`() throws {
        let store = try open()
        try store.box(for: Spot.self).put(
            (1...9).map { Spot(group: Int32($0 % 2), position: [Float($0), 0, -1.5]) })
        let found = try store.query("Spot where position nearest 3 to (5.2, 0, -1.5)").find()
        #expect(found.map(\.id) == [5, 6, 4])
        let text = "Spot where group == ? and position nearest 2 to (?, 0, -1.5)"
        let some = try store.query(text, arguments: [.integer(1), .number(1.9)]).find()
        #expect(some.map(\.id) == [1, 3])
        for (wrong, part) in [
            ("position nearest to (1, 2, 3)", "nearest 10"), ("position nearest 3 (1)", "to"),
            ("position nearest 3 to ()", "literal"), ("position nearest 3 to (1, 2", "comma"),
            ("position not nearest 3 to (1)", "in"), ("any position nearest 1 to (1)", "property"),
            ("group nearest 3 to (1, 2, 3)", "vector"), ("position nearest 3 to (1)", "3"),
            ("not (position nearest 3 to (1, 2, 3))", "&&"),
        ] {
            let error = expectError(.invalidArgument) {
                _ = try store.query("Spot where \(wrong)").find()
            }
            #expect(error?.message.contains(part) == true, "\(wrong): \(error?.message ?? "")")
        }
        store.close()
    }
}
