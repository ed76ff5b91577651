import Daybook
import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

/// An entity with one property, of any type.
struct Holder<Value: PropertyValue>: Entity {
    var id: Id = 0
    var value: Value

    static var entityDescription: EntityDescription {
        EntityDescription("Holder", [.property("value", Value.self)])
    }
    static func decode(_ row: borrowing RowReader) throws -> Holder {
        Holder(id: row.id, value: try row.read(0))
    }
    func encode(into row: inout RowWriter) throws { try row.write(value, at: 0) }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

extension Holder: Equatable where Value: Equatable {}
