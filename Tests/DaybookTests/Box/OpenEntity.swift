import Daybook

/// An entity that is not final.
class OpenEntity: Entity {
    var entityId: Id = 0
    static var entityDescription: EntityDescription { EntityDescription("OpenEntity", []) }
    required init() {}
    static func decode(_ row: borrowing RowReader) throws -> Self { Self() }
    func encode(into row: inout RowWriter) throws {}
}

/// A subclass, whose own properties a put would lose.
final class OpenSubclass: OpenEntity {}
