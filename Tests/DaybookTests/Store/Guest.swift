import Daybook
import DaybookTestSupport
import Foundation

/// An entity with an indexed and an unindexed property that expires.
struct Guest: Entity, Equatable {
    var id: Id = 0
    var email: String
    var city = ""
    var until: Date?

    static let entityDescription = EntityDescription(
        "Guest",
        [
            .property("email", String.self, .index(.value)),
            .property("city", String.self), .property("until", Date?.self),
        ], .expires("until"))
    static func decode(_ row: borrowing RowReader) throws -> Guest {
        Guest(
            id: row.id, email: try row.read(0), city: try row.read(1), until: try row.read(2))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(email, at: 0)
        try row.write(city, at: 1)
        try row.write(until, at: 2)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }

    /// Opens a store of guests that makes no commits of its own, and keeps its events.
    static func store(
        _ directory: TemporaryDirectory, _ recorder: EventRecorder, isMeasuring: Bool = false,
        _ change: (inout StoreOptions) -> Void = { _ in }
    ) throws -> Store {
        var options = StoreOptions()
        options.isMaintenanceAutomatic = false
        options.refreshInterval = .zero
        options.slowLimits.query = nil
        options.slowLimits.commit = nil
        options.slowLimits.lockWait = nil
        options.slowLimits.refresh = nil
        options.measurementInterval = .zero
        options.observers = [recorder.observer(isMeasuring: isMeasuring)]
        change(&options)
        return try Store(directory: directory.url, entities: Guest.self, options: options)
    }

    static var email: Property<Guest, String> { Property("email") }
    static var city: Property<Guest, String> { Property("city") }
}
