import DaybookBytes
@testable import DaybookLog
import DaybookTesting
import Testing

/// A transform that packs one payload to a given length.
private struct FixedTransform: PayloadTransform {
    let payload: [UInt8]
    let packedLength: Int

    func forward(_ payload: Span<UInt8>) -> [UInt8]? { nil }
    func inverse(_ stored: Span<UInt8>, rawLength: Int) throws(DaybookError) -> [UInt8] { [] }
    func pack(_ payload: Span<UInt8>, _ encoder: TokenEncoder?) -> [UInt8]? {
        [UInt8](repeating: 0, count: packedLength)
    }
    func unpack(_ stored: [UInt8], rawLength: Int, tokens: TokenTable?) -> any PackedRecords {
        FixedRecords(bytes: payload)
    }
    func record(
        at offset: Int, ofPacked stored: Span<UInt8>, rawLength: Int, tokens: TokenTable?
    ) throws(DaybookError) -> [UInt8] { payload }
    func texts(of payload: Span<UInt8>) -> PayloadTexts { PayloadTexts() }
}

private final class FixedRecords: PackedRecords {
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    var rawLength: Int { bytes.count }
    var memoryBytes: Int { bytes.count }

    func record(at offset: Int) throws(DaybookError) -> [UInt8] { bytes }
    func payload() throws(DaybookError) -> [UInt8] { bytes }
}

@Suite struct SegmentEncodingTests {
    private static let regular = (0..<4000).map { UInt8($0 / 100) }
    private static let random: [UInt8] = {
        var generator = SeededGenerator(seed: 3)
        return (0..<4000).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    }()

    /// The codec of a payload that is packed to a given length.
    private func codec(
        of bytes: [UInt8], packedLength: Int, isSuperseded: Bool = false
    ) throws -> FrameCodec {
        let codec = PayloadCodec(
            transform: FixedTransform(payload: bytes, packedLength: packedLength))
        var encoding = SegmentEncoding(codec, level: 3)
        try encoding.pack(with: nil)
        var writer = ByteWriter()
        writer.append(bytes.span)
        return try encoding.encode(
            FramePayload(
                bytes: writer, recordCount: 1, firstSequence: 1, lastSequence: 1,
                endsTransaction: true, isSuperseded: isSuperseded)
        ).codec
    }

    @Test func `a payload that packs to less than half is packed`() throws {
        #expect(try codec(of: Self.regular, packedLength: 1900) == .packed)
        #expect(try codec(of: Self.random, packedLength: 1900) == .packed)
    }

    @Test func `a payload that packs to more is compressed if that is much smaller`() throws {
        #expect(try codec(of: Self.regular, packedLength: 2100) == .zstd)
        #expect(try codec(of: Self.random, packedLength: 2100) == .packed)
    }

    @Test func `a payload of superseded versions is compressed`() throws {
        let regular = try codec(of: Self.regular, packedLength: 100, isSuperseded: true)
        #expect(regular == .zstd)
        let random = try codec(of: Self.random, packedLength: 100, isSuperseded: true)
        #expect(random == .raw)
    }

    @Test func `a frame that needs another dictionary than its segment has is corruption`() throws {
        let zstd = SegmentDictionary.zstd(try ZstdDictionary(id: 1, bytes: Self.regular))
        #expect(throws: DaybookError.self) { try zstd.tokens }
        #expect(try zstd.compression.bytes == Self.regular)
        let texts = Array(repeating: Array("the same words again and again".utf8), count: 200)
        let table = try #require(
            TokenTraining.table(texts: Array(texts.joined()), lengths: texts.map(\.count)))
        let tokens = try SegmentDictionary(bytes: table.bytes)
        #expect(throws: DaybookError.self) { try tokens.compression }
        #expect(try tokens.tokens.bytes == table.bytes)
    }
}
