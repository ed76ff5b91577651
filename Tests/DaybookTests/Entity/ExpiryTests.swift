@testable import Daybook
import DaybookTestSupport
import Foundation
import Synchronization
import Testing

/// Expires at a date.
private struct Ticket: Entity, Equatable {
    var id: Id = 0
    var end: Date?
    var name = ""

    static let entityDescription = EntityDescription(
        "Ticket",
        [
            .property("until", Date?.self, .declared("end"), .index(.value)),
            .property("name", String.self),
        ], .expires("until"))
    static func decode(_ row: borrowing RowReader) throws -> Ticket {
        Ticket(id: row.id, end: try row.read(0), name: try row.read(1))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(end, at: 0)
        try row.write(name, at: 1)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

/// Expires 90 seconds after a date without an index.
private struct Draft: Entity, Equatable {
    var id: Id = 0
    var made: Date

    static let entityDescription = EntityDescription(
        "Draft", [.property("made", Date.self)],
        .expires("made", after: .seconds(90)))
    static func decode(_ row: borrowing RowReader) throws -> Draft {
        Draft(id: row.id, made: try row.read(0))
    }
    func encode(into row: inout RowWriter) throws { try row.write(made, at: 0) }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

@Suite struct ExpiryTests {
    private let directory = TemporaryDirectory()

    private static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

    private func open(_ change: (inout StoreOptions) -> Void = { _ in }) throws -> Store {
        var options = StoreOptions()
        options.isMaintenanceAutomatic = false
        change(&options)
        return try Store(
            directory: directory.url, entities: Ticket.self, Draft.self, options: options)
    }

    @Test func `objects are removed at their date, and a time after it`() throws {
        let store = try open()
        let (tickets, drafts) = (store.box(for: Ticket.self), store.box(for: Draft.self))
        try tickets.put([
            Ticket(end: Self.date(100)), Ticket(end: nil), Ticket(end: Self.date(100.5)),
            Ticket(end: Self.date(-1e9)),
        ])
        try drafts.put([Draft(made: Self.date(10)), Draft(made: Self.date(11))])
        #expect(try store.removeExpired(at: Self.date(99)) == 1)
        #expect(try tickets.all().map(\.id) == [1, 2, 3])
        #expect(try store.removeExpired(at: Self.date(100)) == 2)
        #expect(try tickets.all().map(\.id) == [2, 3])
        #expect(try drafts.all().map(\.id) == [2])
        #expect(try store.removeExpired(at: Self.date(100)) == 0)
        #expect(try store.removeExpired(at: Self.date(101)) == 2)
        #expect(try store.removeExpired(at: Self.date(1e9)) == 0)
        #expect(try tickets.all() == [Ticket(id: 2)])
        // The history has the removed objects.
        #expect(try tickets.history(of: 1).count == 2)
        try store.close()
    }

    @Test func `many objects are removed in bounded transactions`() throws {
        let store = try open()
        let tickets = store.box(for: Ticket.self)
        let count = 2 * ObjectExpiry.batchCountMax + 1
        try tickets.put((0..<count).map { Ticket(end: Self.date(Double($0))) })
        let before = try store.sequence
        #expect(try store.removeExpired(at: Self.date(1e6)) == count)
        #expect(try store.sequence == before + 3)
        #expect(try tickets.isEmpty())
        try store.close()
    }

    @Test func `in a transaction, objects with later dates are kept, and a rollback restores all`()
        throws
    {
        let store = try open()
        let tickets = store.box(for: Ticket.self)
        try tickets.put([Ticket(end: Self.date(1)), Ticket(end: Self.date(2))])
        try? store.write {
            try tickets.put(Ticket(id: 1, end: Self.date(10)))
            try tickets.put(Ticket(end: Self.date(3)))
            #expect(try store.removeExpired(at: Self.date(5)) == 2)
            #expect(try tickets.all().map(\.id) == [1])
            throw CancellationError()
        }
        #expect(try tickets.all().map(\.end) == [Self.date(1), Self.date(2)])
        try store.close()
    }

    @Test func `an object whose date is moved between search and removal is kept`() throws {
        let store = try open()
        let tickets = store.box(for: Ticket.self)
        try tickets.put([Ticket(end: Self.date(1)), Ticket(end: Self.date(2))])
        let (binding, expiry) = try #require(
            store.types.expiring.first { $0.0.name == "Ticket" })
        var removal = ExpiredRemoval(store.types, binding, expiry, at: 5_000_000_000)
        removal.willRemove = { ids in
            if ids == [1, 2] { try tickets.put(Ticket(id: 1, end: Self.date(9))) }
        }
        try removal.run { false }
        #expect(removal.removedCount == 1)
        #expect(try tickets.all().map(\.id) == [1])
        try store.close()
    }

    // Blocks its thread: each suspension beside many other tests may take seconds.
    @Test(.timeLimit(.minutes(30)))
    func `the store removes expired objects by its clock, and reports errors until it succeeds`()
        throws
    {
        func wait(until isTrue: () throws -> Bool) rethrows {
            while try !isTrue() { Thread.sleep(forTimeInterval: 0.002) }
        }
        let seconds = Mutex(0.0)
        let store = try open {
            $0.isMaintenanceAutomatic = true
            $0.expiryInterval = .milliseconds(5)
            $0.now = { Date(timeIntervalSince1970: seconds.withLock { $0 }) }
        }
        let tickets = store.box(for: Ticket.self)
        try tickets.put([Ticket(end: Self.date(1)), Ticket(end: Self.date(1_000))])
        seconds.withLock { $0 = 100 }
        try wait { try tickets.count() == 1 }
        #expect(try tickets.all().map(\.id) == [2])
        seconds.withLock { $0 = .nan }
        wait { store.maintenanceError != nil }
        seconds.withLock { $0 = 2_000 }
        try wait { try tickets.count() == 0 }
        wait { store.maintenanceError == nil }
        try store.close()
    }

    @Test func `mistaken declarations are errors before the directory is accessed`() throws {
        func check(
            _ properties: [PropertyDescription], _ attributes: EntityAttribute...,
            code: DaybookError.Code = .schemaMismatch
        ) {
            var description = EntityDescription("Thing", properties)
            description.attributes = attributes
            let error = #expect(throws: DaybookError.self) {
                _ = try description.checkedExpiry(isEntity: true)
            }
            #expect(error?.code == code && error?.details["entity"] == "Thing")
        }
        let date = PropertyDescription.property("end", Date.self)
        check([.property("end", String.self)], .expires("end"))
        check([.property("end", [Date].self)], .expires("end"))
        check([date], .expires("edn"))
        check([date], .expires("end"), .expires("end", after: .seconds(1)))
        check([date], .expires("end", after: .seconds(-1)), code: .invalidArgument)
        let embedded = EntityDescription("Thing", [date], .expires("end"))
        #expect(throws: DaybookError.self) { try embedded.checkedExpiry(isEntity: false) }
        #expect(try embedded.checkedExpiry(isEntity: true)?.property == "end")
    }

    @Test func `an async removal equals the blocking one`() async throws {
        let store = try open()
        try await store.box(for: Ticket.self).put(Ticket(end: Self.date(1)))
        #expect(try await store.removeExpired() == 1)
        try await store.close()
    }
}
