package import Daybook

/// An event of a test.
package struct Measure: Event, Equatable {
    package var device: String
    package var number: Int

    package init(_ device: String, _ number: Int) {
        self.device = device
        self.number = number
    }

    package static let entityDescription = EntityDescription(
        "Measure", [.property("device", String.self), .property("number", Int.self)])

    package static func decode(_ row: borrowing RowReader) throws -> Measure {
        Measure(try row.read(0), try row.read(1))
    }

    package func encode(into row: inout RowWriter) throws {
        try row.write(device, at: 0)
        try row.write(number, at: 1)
    }
}
