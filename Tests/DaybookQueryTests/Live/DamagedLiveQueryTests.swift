import DaybookBytes
@testable import DaybookEngine
@testable import DaybookQuery
import DaybookTestSupport
import Testing

/// Live queries in a store with unreadable objects.
@Suite struct DamagedLiveQueryTests {
    /// Returns a store of people in small frames, with damage in the frame of the person with the
    /// id 151.
    private func damagedStore() throws -> PeopleStore {
        let fileSystem = MemoryFileSystem()
        do {
            let store = try PeopleStore(in: fileSystem, frameBytes: 1024)
            try store.fill(300)
            try store.engine.writeSnapshot()
        }
        let damaged = try #require(fileSystem.afterKill(damaging: "mail 150"))
        return try PeopleStore(in: damaged, frameBytes: 1024)
    }

    @Test func `an object that cannot be read does not affect other queries`() throws {
        let store = try damagedStore()
        let employer = try #require(
            store.people.fields.first { $0.name == "employer" }?.relation?.relationID)
        store.engine.check("the person", .corruption) { access in
            _ = try access.scope.row(store.people.entityID, 151)
        }
        let queries = LiveQueries(store.engine)
        let runner = try store.runner(QueryDefinition(.equal("email", .text("mail 5"))))
        let number = try queries.add(runner) {}
        var live = try store.engine.query { try LiveQuery(runner, over: $0) }
        queries.start(number, at: live.sequence)
        func advance() throws -> ResultDifference? {
            queries.catchUp()
            guard let due = try queries.take(number) else { return nil }
            return try live.advance(to: QueryAccess(due.view, store.engine.schemas), due.touches)
        }
        func put(_ values: [String: QueryValue], id: UInt64) throws {
            try store.engine.write { transaction in
                _ = try store.put(store.people, values, id: id, in: transaction)
            }
        }
        var person = PeopleStore.person(5)
        person["nick"] = .text("other")
        try put(person, id: 6)
        #expect(try advance()?.modifications == [0])
        // Puts a link of the object, and then the object itself, again.
        try store.engine.write { try $0.changes.setTarget(employer, 151, 3) }
        #expect(try advance() == nil)
        try put(PeopleStore.person(150), id: 151)
        #expect(try advance() == nil)
        person["email"] = .text("mine")
        try put(person, id: 6)
        #expect(try advance()?.deletions == [0])
        #expect(live.ids.isEmpty && live.runCount == 1)
        try store.engine.close()
    }
}
