import DaybookBytes
import Testing

@testable import DaybookRecords

/// The examples that `Internals/RecordFormat.md` decodes byte by byte.
@Suite struct WorkedExampleTests {
    private static let layout = EntityLayout(
        layoutID: 1, entityID: 1, entityName: "Person", version: 1,
        fields: [Field(propertyID: 1, name: "name", type: .string)])

    private static func payload() throws -> [UInt8] {
        var writer = RecordWriter()
        for (index, name) in ["Ada", "Bob", "Cy", "Di"].enumerated() {
            var encoder = RowEncoder(RowLayout(layout))
            try encoder.set(text: name, at: 0)
            encoder.finish()
            writer.put(
                entity: 1, id: UInt64(index + 1), previous: 0, layout: 1, row: encoder.row)
        }
        return writer.span.array
    }

    private let payload: [UInt8] = [
        0x0C, 0x01, 0x01, 0x01, 0x00, 0x01, 0x00, 0x00, 0x03, 0x00, 0x41, 0x64, 0x61,
        0x0C, 0x01, 0x01, 0x02, 0x00, 0x01, 0x00, 0x00, 0x03, 0x00, 0x42, 0x6F, 0x62,
        0x0B, 0x01, 0x01, 0x03, 0x00, 0x01, 0x00, 0x00, 0x02, 0x00, 0x43, 0x79,
        0x0B, 0x01, 0x01, 0x04, 0x00, 0x01, 0x00, 0x00, 0x02, 0x00, 0x44, 0x69,
    ]

    @Test func `the worked example of a rearranged payload is exact in both directions`() throws {
        #expect(try Self.payload() == payload)
        let rearranged: [UInt8] = [
            1, 4, 26, 10, 0,
            1, 1, 4, 12, 0, 1, 0, 1,
            0, 0, 0, 2, 9, 2, 0, 0, 0, 0, 0, 2, 0, 1, 4, 1, 0, 0,
            0x41, 0x64, 0x61, 0x42, 0x6F, 0x62, 0x43, 0x79, 0x44, 0x69,
            0b0011,
        ]
        var schema = Schema()
        try schema.add(Self.layout)
        #expect(RowTransposition(schema).forward(payload.span) == rearranged)
        #expect(
            try RowTransposition(Schema()).inverse(rearranged.span, rawLength: payload.count)
                == payload)
    }

    @Test func `the worked example of a packed payload is exact in both directions`() throws {
        let packed: [UInt8] = [
            1, 4, 28, 2,
            1, 2, 24, 1, 2, 4, 1, 0, 0,
            1, 4, 12, 0, 1, 0, 1, 0, 2, 1, 2, 2, 0, 0, 0, 2, 0, 0, 0,
            0b0011, 0b0011,
            0x41, 0x64, 0x61, 0x42, 0x6F, 0x62, 0x43, 0x79, 0x44, 0x69,
        ]
        var schema = Schema()
        try schema.add(Self.layout)
        #expect(RowTransposition(schema).pack(payload.span, nil) == packed)
        let records = PackedPayload(packed, rawLength: payload.count, tokens: nil)
        #expect(try records.payload() == payload)
        #expect(try records.record(at: 26) == Array(payload[26..<38]))
    }

    @Test(
        arguments: [
            (FieldType.int32, [0xFB, 0xFF, 0xFF, 0xFF], [0x01, 0x7F, 0xFF, 0xFF, 0xFB]),
            (
                .double, [0, 0, 0, 0, 0, 0, 0xF8, 0xBF],
                [0x01, 0x40, 0x07, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
            ),
            (.string, [0x61, 0x00, 0x62], [0x01, 0x61, 0x00, 0xFF, 0x62, 0x00, 0x00]),
            (
                .decimal, Array("-7".utf8),
                [0x01, 0x01, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE, 0xF7, 0xFF]
            ),
            (
                .json, Array(#"{"a":1}"#.utf8),
                [0x01, 0x0B, 0x05, 0x61, 0, 0, 0x04, 0x03, 0x80, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0]
            ),
        ] as [(FieldType, [UInt8], [UInt8])])
    func `an index stores the worked keys`(
        type: FieldType, value: [UInt8], key: [UInt8]
    ) {
        var writer = IndexKeyWriter()
        writer.append(value: value.span, type)
        #expect(writer.key.bytes == key)
    }
}
