import Daybook
import DaybookTestSupport
import Foundation
import Testing

/// Projections as live results, and projections of embedded values.
@Suite struct ProjectionUpdateTests {
    private let store: Store
    private let boats: Box<Boat>

    init() throws {
        store = try Store(directoryPath: "memory:\(UUID())", entities: Boat.self)
        boats = store.box(for: Boat.self)
    }

    private func change(_ id: Id, _ body: (inout Boat) -> Void) throws {
        var boat = try #require(try boats.get(id))
        body(&boat)
        try boats.put(boat)
    }

    @Test func `updates of projections report changes of their properties only`() async throws {
        try await boats.put([Boat(name: "Alma"), Boat(name: "Nora")])
        var updates = boats.query().updates(as: BoatSummary.self).makeAsyncIterator()
        #expect(try await updates.next()?.objects.map(\.name) == ["Alma", "Nora"])
        // Of these properties, no projection has one.
        try change(1) { ($0.isOpen, $0.code) = (true, "x") }
        try change(2) { $0.harbours = [Harbour(city: "Brest")] }
        guard case .update(let changes) = try await updates.next() else {
            Issue.record("no update")
            return
        }
        #expect(changes.modifications == [1] && changes.insertions == [])
        #expect(changes.objects.map(\.cities) == [[], ["Brest"]])
        try await boats.remove(1)
        let last = try await updates.next()
        #expect(last?.objects.map(\.name) == ["Nora"])
        try await store.close()
        #expect(try await updates.next() == nil)
    }

    @Test func `objects are reported for changes of a projection's properties only`() async throws {
        try await boats.put(Boat(name: "Alma"))
        var updates = boats.query().watching(BoatSummary.self).updates().makeAsyncIterator()
        _ = try await updates.next()
        try change(1) { $0.isOpen = true }
        try change(1) { $0.built = Date(timeIntervalSince1970: 9) }
        let update = try await updates.next()
        #expect(update?.objects.first?.built == Date(timeIntervalSince1970: 9))
        try await store.close()
    }

    @Test func `every change counts for a projection that does not name its properties`()
        async throws
    {
        try await boats.put(Boat(name: "Alma"))
        var updates = boats.query().updates(as: BoatWhole.self).makeAsyncIterator()
        _ = try await updates.next()
        try change(1) { $0.isOpen = true }
        guard case .update(let changes) = try await updates.next() else {
            Issue.record("no update")
            return
        }
        #expect(changes.modifications == [0])
        try await store.close()
    }

    @Test func `an object that a projection cannot read ends its updates only if it needs it`()
        async throws
    {
        try await boats.put(Boat(name: "Alma", seal: Untouchable()))
        var summaries = boats.query().updates(as: BoatSummary.self).makeAsyncIterator()
        #expect(try await summaries.next()?.objects.map(\.name) == ["Alma"])
        var whole = boats.query().updates(as: BoatWhole.self).makeAsyncIterator()
        await #expect(throws: Refusal(number: 7)) { try await whole.next() }
        try await store.close()
    }

    @Test func `a projection of an embedded value is made from the value, and applied to it`()
        throws
    {
        try boats.put(Boat(name: "Alma", home: Harbour(city: "Brest", berths: 3)))
        try change(1) { boat in
            guard var home = boat.home else { return }
            var town = Town(projecting: home)
            #expect(town.name == "Brest")
            town.name = "Nantes"
            try? town.apply(to: &home)
            boat.home = home
        }
        #expect(try boats.get(1)?.home == Harbour(city: "Nantes", berths: 3))
        try store.close()
    }
}
