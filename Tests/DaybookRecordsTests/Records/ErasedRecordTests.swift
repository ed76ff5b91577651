import DaybookBytes
@testable import DaybookRecords
import DaybookTestSupport
import Testing

@Suite struct ErasedRecordTests {
    private static let requested = ErasedRecord(entity: 3, properties: [2], objects: .ids([7, 12]))

    private func decode(_ bytes: [UInt8]) throws -> ErasedRecord {
        try ErasedRecord(decoding: bytes.span)
    }

    @Test func `the bytes are those of the format document`() throws {
        var writer = RecordWriter()
        writer.erased(Self.requested)
        writer.erased(Self.requested.finished)
        #expect(
            writer.span.array == [
                0x08, 0x0B, 0x00, 0x03, 0x01, 0x02, 0x02, 0x07, 0x05,
                0x06, 0x0B, 0x01, 0x03, 0x01, 0x02, 0x02,
            ])
    }

    @Test func `a record is decoded as it was encoded`() throws {
        let records = [
            Self.requested, Self.requested.finished,
            ErasedRecord(entity: IndexTree.entityMax, objects: .ids([1, 2, .max - 1])),
            ErasedRecord(entity: 1, properties: [1, 5, 900], objects: .count(.max)),
            ErasedRecord(entity: 1, objects: .ids([])),
        ]
        for record in records {
            var writer = ByteWriter()
            record.encode(to: &writer)
            #expect(try decode(writer.bytes) == record)
            // A later release may add fields.
            #expect(try decode(writer.bytes + [1, 2, 3]) == record)
        }
        #expect(records.map(\.isFinished) == [false, true, false, true, false])
        #expect(Self.requested.finished.objects == .count(2))
    }

    @Test func `damaged records are typed errors`() throws {
        let damaged: [[UInt8]] = [
            [], [0], [0, 0, 0, 0], [0, 3, 1, 0, 0], [0, 3, 0, 2, 7, 0], [0, 3, 0, 1, 0],
            [0, 3, 0, 9, 1], [0, 3, 0xFF, 0xFF, 0x03, 1],
            [0, 3, 0, 2, 1] + [UInt8](repeating: 0xFF, count: 9) + [1],
            [0, 3, 1] + [0xFF, 0xFF, 0xFF, 0xFF, 0x0F] + [0],
        ]
        for bytes in damaged {
            #expect(code { _ = try decode(bytes) } == .corruption, "\(bytes)")
        }
        #expect(code { _ = try decode([2, 3, 0, 0]) } == .formatTooNew)
    }
}
