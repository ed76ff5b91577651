import DaybookBytes
import DaybookRecords
import DaybookQuery
import Testing

/// The format of moments in results.
@Suite struct ShownMomentTests {
    @Test(
        arguments: [
            (1_000_000, FieldType.date, #""1970-01-01T00:00:00.001Z""#),
            (1_000_000, .dateNano, #""1970-01-01T00:00:00.001000000Z""#),
            (1_000_001, .dateNano, #""1970-01-01T00:00:00.001000001Z""#),
            (-1, .dateNano, #""1969-12-31T23:59:59.999999999Z""#),
            (253_402_300_800_000_000_000, .date, #"{"ms":253402300800000}"#),
            (1 << 100, .dateNano, #"{"ns":1267650600228229401496703205376}"#),
        ] as [(Int128, FieldType, String)])
    func `a moment is shown with the precision of its property`(
        _ nanoseconds: Int128, _ type: FieldType, _ expected: String
    ) throws {
        var text = JSONText()
        try text.value(.moment(nanoseconds), of: type) { _ throws(DaybookError) in
            throw DaybookError(.notFound, "")
        }
        #expect(text.text == expected)
    }
}
