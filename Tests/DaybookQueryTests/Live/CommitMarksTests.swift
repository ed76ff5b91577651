import DaybookBytes
@testable import DaybookEngine
@testable import DaybookQuery
import DaybookTestSupport
import Testing

/// The versions that the search for affected queries reads behind a large commit.
@Suite struct CommitMarksTests {
    private static let count = 3_000
    private let disk = CountingDisk(MemoryFileSystem())

    /// A store in which one transaction inserted people, and another one put them in another order.
    private func updated() throws -> (store: PeopleStore, commit: CommitChanges) {
        let store = try PeopleStore([], in: disk, frameBytes: 4 << 10)
        let text = String(repeating: "text ", count: 300)
        func put(_ numbers: some Sequence<Int>, isUpdate: Bool) throws {
            try store.engine.write { transaction in
                for number in numbers {
                    var person = PeopleStore.person(number)
                    if !isUpdate { person["name"] = .text(text) }
                    try store.put(
                        store.people, person, id: isUpdate ? UInt64(number) + 1 : 0,
                        in: transaction)
                }
            }
        }
        try put(0..<Self.count, isUpdate: false)
        let start = store.engine.position.sequence
        try put((0..<Self.count).lazy.map { $0 * 1_237 % Self.count }, isUpdate: true)
        var reader = try ChangeReader(store.engine, after: start)
        return (store, try #require(try reader.next()))
    }

    private func marks(
        _ store: PeopleStore, _ definition: QueryDefinition, of companies: Bool = false,
        idCountMax: Int = 1 << 16
    ) throws -> CommitMarks {
        var registry = QueryRegistry()
        let layout = companies ? store.companies : store.people
        registry.insert(try store.runner(definition, of: layout), 7, usesKeys: true)
        registry.prepare()
        let access = QueryAccess(try store.engine.view(), store.engine.schemas)
        return CommitMarks(registry, access, idCountMax: idCountMax)
    }

    @Test func `a query is found behind a large commit by one pass over the log`() throws {
        let (store, commit) = try updated()
        var marks = try marks(store, QueryDefinition(.equal("email", .text("mail 5"))))
        let bytes = try disk.readBytes { try marks.add(commit) }
        #expect(marks.touches[7]?.ids(of: store.people.entityID) == [6])
        #expect(bytes > 0)
        #expect(bytes < 2 * store.engine.log.lengthBytes)
        try store.engine.close()
    }

    @Test func `nothing is read for objects that no query watches`() throws {
        let (store, commit) = try updated()
        let named = QueryDefinition(.equal("name", .text("company")))
        for (definition, ofCompanies) in [(named, true), (QueryDefinition(), false)] {
            var marks = try marks(store, definition, of: ofCompanies)
            #expect(try disk.readBytes { try marks.add(commit) } == 0)
            let count = marks.touches[7]?.ids(of: store.people.entityID)?.count
            #expect(count == (ofCompanies ? nil : Self.count))
        }
        try store.engine.close()
    }

    @Test func `the log is not read further for a query whose touches are full`() throws {
        let (store, commit) = try updated()
        var marks = try marks(
            store, QueryDefinition(.less("age", .integer(1_000))), idCountMax: 50)
        let bytes = try disk.readBytes { try marks.add(commit) }
        #expect(marks.touches[7]?.isFull(entity: store.people.entityID) == true)
        #expect(bytes < store.engine.log.lengthBytes / 4)
        // The next commit adds nothing.
        #expect(try disk.readBytes { try marks.add(commit) } == 0)
        try store.engine.close()
    }

    @Test func `the log is not read further after all listeners have left`() throws {
        let (store, commit) = try updated()
        let last = QueryDefinition(.equal("email", .text("mail \(Self.count - 1)")))
        var marks = try marks(store, last)
        var askedCount = 0
        let bytes = try disk.readBytes {
            try marks.add(commit) {
                askedCount += 1
                return askedCount > 10
            }
        }
        #expect(bytes < store.engine.log.lengthBytes / 4)
        #expect(marks.touches.isEmpty)
        try store.engine.close()
    }
}
