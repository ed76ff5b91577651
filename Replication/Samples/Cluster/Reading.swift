import Daybook

/// A measurement.
final class Reading {
    var id: Id = 0
    /// The name of the writer.
    var writer: String
    /// The number of the measurement, from 1 for each writer.
    var number: Int

    init(writer: String, number: Int) {
        self.writer = writer
        self.number = number
    }
}

extension Reading: Entity {
    static let entityDescription = EntityDescription(
        "Reading", [.property("writer", String.self, .index), .property("number", Int.self)])

    static func decode(_ row: borrowing RowReader) throws -> Reading {
        let reading = Reading(writer: try row.read(0), number: try row.read(1))
        reading.id = row.id
        return reading
    }

    func encode(into row: inout RowWriter) throws {
        try row.write(writer, at: 0)
        try row.write(number, at: 1)
    }

    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}
