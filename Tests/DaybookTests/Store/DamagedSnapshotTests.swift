import DaybookPages
@testable import Daybook
import DaybookBytes
@testable import DaybookEngine
import DaybookTestSupport
import Foundation
import Synchronization
import Testing

/// Reads of a store whose snapshot is damaged. The log is whole, so every read must give the right
/// answer, in every kind of transaction.
@Suite struct DamagedSnapshotTests {
    private static let entities: [any Storable.Type] = [
        Item.self, Country.self, Customer.self, Order.self, Student.self, Note.self,
    ]

    /// Where a read runs.
    private enum Place: CaseIterable {
        case alone, inRead, inWrite, inChangedWrite, inReadInsideWrite
    }

    private typealias Read = (name: String, run: @Sendable (Store) throws -> String)

    private struct RolledBack: Error {}

    private let fileSystem = MemoryFileSystem()

    private func open(_ files: MemoryFileSystem) throws -> Store {
        var options = StoreOptions()
        options.isMaintenanceAutomatic = false
        return Store(try OpenedStore(path: "/store", Self.entities, options, on: files))
    }

    /// Fills a store, changes some objects, and writes a snapshot. Returns the sequence before the
    /// changes, and the length of the snapshot.
    private func fill() throws -> (past: UInt64, length: Int) {
        let store = try open(fileSystem)
        try store.write {
            let items = (0..<30).flatMap { _ in Item.samples() }
            try store.box(for: Item.self).put(items)
            try store.box(for: Country.self).put(
                (0..<1500).map { Country(code: "C\($0)", name: "country \($0)") })
            try store.box(for: Order.self).put(
                (0..<1000).map { Order("order \($0)", customer: nil) })
            let customers = (0..<200).map { Customer("customer \($0)") }
            try store.box(for: Customer.self).put(customers)
            for id in 1...1000 as ClosedRange<Id> {
                let order = try #require(try store.box(for: Order.self).get(id))
                order.customer.targetId = EntityId(1 + id % 200)
                try store.box(for: Order.self).put(order)
            }
            let teachers = (0..<20).map { Teacher("teacher \($0)") }
            for number in 0..<100 {
                let student = Student("student \(number)")
                student.teachers = ToMany((0..<5).map { teachers[(number + $0) % 20] })
                try store.box(for: Student.self).put(student)
            }
        }
        let past = try store.sequence
        try store.write {
            for id in [3, 700, 1799] as [Id] {
                var item = try #require(try store.box(for: Item.self).get(id))
                item.nick = "changed"
                try store.box(for: Item.self).put(item)
            }
            let order = try #require(try store.box(for: Order.self).get(500))
            order.summary = "changed"
            try store.box(for: Order.self).put(order)
            _ = try store.box(for: Order.self).remove(501)
        }
        try store.engine.writeSnapshot()
        try store.close()
        let path = try #require(fileSystem.paths("snapshot-").last)
        return (past, try #require(fileSystem.contents[path]).count)
    }

    private func damaged(at place: Int) throws -> Store {
        let path = try #require(fileSystem.paths("snapshot-").last)
        return try open(fileSystem.afterKill(changing: path) { $0[place] ^= 0x40 })
    }

    /// All kinds of reads.
    private func reads(_ past: UInt64) -> [Read] {
        objectReads + queryReads + relationReads + historyReads(past)
    }

    private var objectReads: [Read] {
        [
            ("get", { Self.text(try $0.box(for: Item.self).get(1234)) }),
            ("get many", { "\(try $0.box(for: Item.self).get([1, 900, 1750]).map(\.nick))" }),
            ("all", { "\(try $0.box(for: Item.self).all().map(\.size))" }),
            ("count", { "\(try $0.box(for: Order.self).count())" }),
            ("contains", { "\(try $0.box(for: Order.self).contains(501))" }),
            ("last change", { "\(try $0.box(for: Item.self).sequence(of: 700) as UInt64?)" }),
            ("key", { "\(try $0.box(for: Country.self).get(key: "C977") as Country?)" }),
            ("contains key", { "\(try $0.box(for: Country.self).contains(key: "C1400"))" }),
            (
                "visit",
                { store in
                    var ids: [Id] = []
                    try store.box(for: Order.self).forEach { ids.append($0.id) }
                    return "\(ids)"
                }
            ),
        ]
    }

    private var queryReads: [Read] {
        [
            (
                "query by an index",
                { try Self.ids($0.box(for: Item.self).query { Item.size == 3 }.build()) }
            ),
            (
                "query in the order of an index",
                {
                    try Self.ids(
                        $0.box(for: Item.self).query().ordered(by: Item.made).limit(40))
                }
            ),
            (
                "scan",
                { try Self.ids($0.box(for: Item.self).query { Item.level == .high }.build()) }
            ),
            (
                "count of a query",
                { "\(try $0.box(for: Item.self).query { Item.size > 2 }.build().count())" }
            ),
            (
                "sum",
                { "\(try $0.box(for: Item.self).query().build().property(\.size).sum())" }
            ),
            (
                "values",
                { "\(try $0.box(for: Item.self).query().build().property(\.size).find())" }
            ),
            (
                "query by a relation",
                {
                    try Self.ids(
                        $0.box(for: Order.self).query { Order.customer.name == "customer 7" }
                            .build())
                }
            ),
        ]
    }

    /// Returns the description of an item, independent of the order of its sets.
    private static func text(_ item: Item?) -> String {
        item.map { "\($0.id) \($0.name) \($0.nick ?? "none") \($0.size) \($0.made)" } ?? "none"
    }

    private static func ids<E>(_ query: Query<E>) throws -> String {
        "\(try query.findIds().map(\.value))"
    }

    private var relationReads: [Read] {
        [
            (
                "target",
                { try $0.box(for: Order.self).get(321)?.customer.get()?.name ?? "none" }
            ),
            (
                "backlinks",
                {
                    let customer = try $0.box(for: Customer.self).get(100)
                    return "\(try customer?.orders.getUncachedIdsFromDb().map(\.value) ?? [])"
                }
            ),
            (
                "targets",
                {
                    let student = try $0.box(for: Student.self).get(50)
                    return "\(try student?.teachers.getUncachedFromDb().map(\.name) ?? [])"
                }
            ),
            (
                "count of targets",
                { "\(try $0.box(for: Student.self).get(9)?.teachers.countInDb() ?? -1)" }
            ),
            (
                "included",
                { store in
                    let orders = try store.box(for: Order.self).including(\.customer).all()
                    return "\(orders.map { $0.customer.target?.name ?? "none" })"
                }
            ),
        ]
    }

    private func historyReads(_ past: UInt64) -> [Read] {
        [
            ("sequence", { "\(try $0.sequence)" }),
            (
                "history",
                { store in
                    try ([700, 1500] as [Id]).map { id in
                        let history = try store.box(for: Item.self).history(of: id)
                        return "\(try history.map { try $0.object?.nick ?? "none" })"
                    }.joined()
                }
            ),
            (
                "history of a removed object",
                { "\(try $0.box(for: Order.self).history(of: 501).map(\.isRemoval))" }
            ),
            (
                "get of the past",
                { Self.text(try $0.box(for: Item.self).get(1799, at: .sequence(past))) }
            ),
            (
                "get of the past with relations",
                { store in
                    let order = try store.box(for: Order.self).get(501, at: .sequence(past))
                    return "\(order?.summary ?? "none") \(order?.customer.target?.name ?? "none")"
                }
            ),
            (
                "view of the past",
                { store in
                    let box = try store.view(at: .sequence(past)).box(for: Order.self)
                    return "\(try box.count()) \(try box.get(500)?.summary ?? "none")"
                }
            ),
            (
                "differences",
                { store in
                    let (old, new) = (try store.view(at: .sequence(past)), try store.view())
                    let items = try new.changes(of: Item.self, since: old).map(\.id.value)
                    return "\(items) \(try new.linkChanges(since: old).count)"
                }
            ),
        ]
    }

    private func run(
        _ place: Place, _ store: Store, _ body: () throws -> Void
    ) throws {
        switch place {
        case .alone: try body()
        case .inRead: try store.read(body)
        case .inWrite: try store.write { try body() }
        case .inChangedWrite:
            try store.write {
                try store.box(for: Note.self).put(Note(text: "new"))
                try body()
            }
        case .inReadInsideWrite:
            try store.write { try store.engine.read { _ in try body() } }
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `each read in each kind of transaction gives the answer of the log`() throws {
        let (past, length) = try fill()
        let reads = reads(past)
        let sound = try open(fileSystem.afterKill())
        let expected = try reads.map { try $0.run(sound) }
        try sound.close()
        var rebuiltCount = 0
        for part in 0..<40 {
            let store = try damaged(at: length * (2 * part + 1) / 80)
            let space = store.engine.slot.current
            // A different read detects the damage first in each part.
            let place = Place.allCases[part % Place.allCases.count]
            try run(place, store) {
                for number in reads.indices {
                    let index = (number + part * 7) % reads.count
                    let found = try reads[index].run(store)
                    #expect(
                        found == expected[index],
                        "\(reads[index].name) \(place), damage \(part)")
                }
            }
            if store.engine.slot.current !== space { rebuiltCount += 1 }
            try store.close()
        }
        #expect(rebuiltCount > 5)
    }

    @Test(.timeLimit(.minutes(30)))
    func `a history inside a write transaction survives damage at every place`() throws {
        let (past, length) = try fill()
        let sound = try open(fileSystem.afterKill())
        let expected = try Self.histories(sound, past)
        try sound.close()
        var rebuiltCount = 0
        for part in 0..<60 {
            let store = try damaged(at: length * (2 * part + 1) / 120)
            let space = store.engine.slot.current
            let found = try store.write { try Self.histories(store, past) }
            #expect(found == expected)
            if store.engine.slot.current !== space { rebuiltCount += 1 }
            try store.close()
        }
        #expect(rebuiltCount > 0)
    }

    /// The number of versions of some objects, and the objects as they were at `past`. The objects
    /// are in different page groups of the snapshot, some of which the opening has read already.
    private static func histories(_ store: Store, _ past: UInt64) throws -> [String] {
        let (items, orders) = (store.box(for: Item.self), store.box(for: Order.self))
        let ofItems = try ([700, 3, 1799] as [Id]).map { id -> String in
            let older = try items.get(id, at: .sequence(past))
            return "\(try items.history(of: id).count) \(older?.nick ?? "none")"
        }
        let ofOrders = try ([500, 1, 999] as [Id]).map { id -> String in
            let older = try orders.get(id, at: .sequence(past))
            return "\(try orders.history(of: id).count) \(older?.summary ?? "none")"
        }
        return ofItems + ofOrders
    }

    @Test(.timeLimit(.minutes(30)))
    func `an undo inside a write transaction survives damage at every place`() throws {
        let (past, length) = try fill()
        for part in 0..<20 {
            let store = try damaged(at: length * (2 * part + 1) / 40)
            #expect(throws: RolledBack.self) {
                try store.write {
                    try store.undo(.commit(past + 1))
                    #expect(try store.box(for: Item.self).get(700)?.nick != "changed")
                    #expect(try store.box(for: Order.self).get(501)?.summary == "order 500")
                    throw RolledBack()
                }
            }
            #expect(try store.box(for: Item.self).get(700)?.nick == "changed")
            try store.close()
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `a reader does not wait for a writer when it meets damage`() throws {
        let (_, length) = try fill()
        let expected = try objectReads.map { try $0.run(try open(fileSystem.afterKill())) }
        let reads = objectReads
        var foldedCount = 0
        for part in 0..<16 {
            let store = try damaged(at: length * (2 * part + 1) / 32)
            let found = Locked<[String]>([])
            try store.write {
                let isDone = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    for number in reads.indices {
                        let read = reads[(number + part) % reads.count]
                        found.append((try? read.run(store)) ?? "failed")
                    }
                    isDone.signal()
                }
                // The writer waits for the reader, as `concurrentPerform` in a transaction does.
                try #require(isDone.wait(timeout: .now() + 120) == .success)
            }
            let offset = part % reads.count
            #expect(found.value == Array(expected[offset...] + expected[..<offset]))
            if store.engine.standIn.withLock({ $0 != nil }) {
                foldedCount += 1
                // A read without a writer rebuilds the indexes, which releases the version.
                for read in reads { _ = try read.run(store) }
                #expect(store.engine.standIn.withLock { $0 == nil })
            }
            try store.close()
        }
        #expect(foldedCount > 0)
    }

    @Test func `maintenance inside a write transaction is an error`() throws {
        let store = try open(fileSystem)
        try store.write {
            try store.box(for: Note.self).put(Note(text: "kept"))
            expectError(.invalidArgument) { _ = try store.engine.writeSnapshot() }
            expectError(.invalidArgument) { _ = try store.engine.compact(.latest) }
            expectError(.invalidArgument) { _ = try store.engine.planCompaction(.all) }
            expectError(.invalidArgument) { try store.close() }
            _ = try store.engine.read { _ in
                expectError(.invalidArgument) { try store.close() }
            }
        }
        #expect(try store.box(for: Note.self).count() == 1)
        try store.engine.writeSnapshot()
        try store.close()
    }
}

/// Values that a test collects from another thread.
private final class Locked<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    var value: Value { state.withLock { $0 } }

    func append<Element: Sendable>(_ element: Element) where Value == [Element] {
        state.withLock { $0.append(element) }
    }
}
