@testable import Daybook
@testable import DaybookEvents
import DaybookLog
import Foundation

/// An event with properties of all kinds.
struct Sample: Event, Equatable {
    struct Origin: Embedded, Equatable {
        var site = ""
        var floor: Int16?

        static let entityDescription = EntityDescription(
            "Origin", [.property("site", String.self), .property("floor", Int16?.self)])
        static func decode(_ row: borrowing RowReader) throws -> Origin {
            Origin(site: try row.read(0), floor: try row.read(1))
        }
        func encode(into row: inout RowWriter) throws {
            try row.write(site, at: 0)
            try row.write(floor, at: 1)
        }
    }

    var isValid = false
    var small: Int8 = 0
    var large: UInt64 = 0
    var least: Int64?
    var ratio: Float = 0
    var value = 0.0
    var price: Decimal?
    var date = Date(timeIntervalSince1970: 0)
    var text = ""
    var bytes = Data()
    var key = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var tags: [String] = []
    var scores: [String: Double] = [:]
    var origin: Origin?

    static let entityDescription = EntityDescription(
        "Sample",
        [
            .property("isValid", Bool.self), .property("small", Int8.self),
            .property("large", UInt64.self), .property("least", Int64?.self),
            .property("ratio", Float.self), .property("value", Double.self),
            .property("price", Decimal?.self), .property("date", Date.self),
            .property("text", String.self), .property("bytes", Data.self),
            .property("key", UUID.self), .property("tags", [String].self),
            .property("scores", [String: Double].self), .property("origin", Origin?.self),
        ])
    static func decode(_ row: borrowing RowReader) throws -> Sample {
        Sample(
            isValid: try row.read(0), small: try row.read(1), large: try row.read(2),
            least: try row.read(3), ratio: try row.read(4), value: try row.read(5),
            price: try row.read(6), date: try row.read(7), text: try row.read(8),
            bytes: try row.read(9), key: try row.read(10), tags: try row.read(11),
            scores: try row.read(12), origin: try row.read(13))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(isValid, at: 0)
        try row.write(small, at: 1)
        try row.write(large, at: 2)
        try row.write(least, at: 3)
        try row.write(ratio, at: 4)
        try row.write(value, at: 5)
        try row.write(price, at: 6)
        try row.write(date, at: 7)
        try row.write(text, at: 8)
        try row.write(bytes, at: 9)
        try row.write(key, at: 10)
        try row.write(tags, at: 11)
        try row.write(scores, at: 12)
        try row.write(origin, at: 13)
    }

    /// Values that are hard to write as text.
    static let hard = Sample(
        isValid: true, small: .min, large: .max, least: .min, ratio: 0.1, value: -5.0e-300,
        price: Decimal(string: "-123456789012345678901234567890.12345678"),
        date: Date(timeIntervalSince1970: 1e12), text: "\n\"\\ \u{0} 字 e\u{301}",
        bytes: Data([0, 10, 255]),
        key: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6)),
        tags: ["", "\n", "a\"b"], scores: ["": .infinity, "ü": -0.0, "x": 0.1],
        origin: Origin(site: "roof", floor: -1))
}

/// Another version of ``Reading``: a property has a new name, and one is new.
struct NewReading: Event, Equatable {
    var station: String
    var celsius: Double
    var humidity: Int?
    var level = 0

    static let entityDescription = EntityDescription(
        "Reading",
        [
            .property("station", String.self, .renamed(from: "device")),
            .property("celsius", Double.self), .property("humidity", Int?.self),
            .property("level", Int.self),
        ])
    static func decode(_ row: borrowing RowReader) throws -> NewReading {
        NewReading(
            station: try row.read(0), celsius: try row.read(1), humidity: try row.read(2),
            level: try row.read(3))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(station, at: 0)
        try row.write(celsius, at: 1)
        try row.write(humidity, at: 2)
        try row.write(level, at: 3)
    }
}

/// An event with a relation, which has no meaning in another store.
struct Visit: Event {
    var note: ToOne<Note> = nil

    static let entityDescription = EntityDescription(
        "Visit", [.property("note", ToOne<Note>.self)])
    static func decode(_ row: borrowing RowReader) throws -> Visit {
        Visit(note: try row.read(0))
    }
    func encode(into row: inout RowWriter) throws { try row.write(note, at: 0) }
}

extension Store {
    /// A store in memory that is not maintained in the background.
    static func ofEvents(
        _ entities: [any Storable.Type], path: String = "memory:\(UUID())",
        _ change: (inout StoreOptions) -> Void = { _ in }
    ) throws -> Store {
        var options = StoreOptions()
        options.isMaintenanceAutomatic = false
        options.refreshInterval = .zero
        change(&options)
        return try Store(path: path, entities: entities, options: options)
    }

    /// A store that collects events.
    static func ofInbox(
        _ events: [any Storable.Type], path: String = "memory:\(UUID())"
    ) throws -> Store { try ofEvents(events + EventInbox.entities, path: path) }

    /// The identity, as batches have it.
    var storeIdentity: String { engine.log.store.description }

    /// The events of a type that the log has, in its order.
    func events<E: Event>(of type: E.Type) async throws -> [E] {
        try await commits(of: type).flatMap { try $0.events(of: type) }
    }

    /// The commits with events of a type.
    func commits<E: Event>(of type: E.Type) async throws -> [Commit] {
        let floor = try await statistics().historyFloor
        let last = position.sequence
        guard last > floor else { return [] }
        let start = ChangePosition(store: position.store, sequence: floor)
        var commits: [Commit] = []
        for try await commit in changes(from: start) {
            if try !commit.events(of: type).isEmpty { commits.append(commit) }
            if commit.sequence == last { break }
        }
        return commits
    }
}

extension EventOutbox {
    /// All batches after a place.
    func batches(
        after place: EventPosition = .start, sizeBytesMax: Int = 256 << 10
    ) throws -> [EventBatch] {
        var batches: [EventBatch] = []
        var place = place
        while true {
            let batch = try next(
                after: place, previous: batches.last?.end, sizeBytesMax: sizeBytesMax)
            place = batch.end
            if batch.isEmpty { return batches }
            batches.append(batch)
        }
    }
}
