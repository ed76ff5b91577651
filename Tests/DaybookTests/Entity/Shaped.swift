import Daybook
import Synchronization

/// An entity whose properties a test chooses when it opens a store, as if the program had changed
/// between two runs. Used by one test at a time.
struct Shaped: Entity {
    static let shape = Mutex<[PropertyDescription]>([])
    static let values = Mutex<[String: any PropertyValue & Sendable]>([:])

    var entityId: Id = 0
    /// The values read, by property.
    var found: [String: String] = [:]

    static var entityDescription: EntityDescription {
        EntityDescription("Shaped", shape.withLock { $0 })
    }

    static func decode(_ row: borrowing RowReader) throws -> Shaped {
        var object = Shaped(entityId: row.id)
        for (index, property) in shape.withLock({ $0 }).enumerated() {
            switch (property.type, property.isOptional) {
            case (.string, false):
                object.found[property.name] = try row.read(index, as: String.self)
            case (.string, true):
                object.found[property.name] = try row.read(index, as: String?.self) ?? "nil"
            case (.int64, false):
                object.found[property.name] = "\(try row.read(index, as: Int.self))"
            case (.int64, true):
                object.found[property.name] =
                    try row.read(index, as: Int?.self).map(String.init) ?? "nil"
            case (.double, _):
                object.found[property.name] = "\(try row.read(index, as: Double.self))"
            case (.bytes, _):
                object.found[property.name] = "\(try row.read(index, as: [UInt8].self))"
            case (.date, _):
                object.found[property.name] = "\(try row.read(index, as: Int64?.self) ?? -1)"
            default: object.found[property.name] = "\(try row.read(index, as: Bool.self))"
            }
        }
        return object
    }

    func encode(into row: inout RowWriter) throws {
        let values = Self.values.withLock { $0 }
        for (index, property) in Self.shape.withLock({ $0 }).enumerated() {
            if let value = values[property.name] { try row.write(value, at: index) }
        }
    }
}
