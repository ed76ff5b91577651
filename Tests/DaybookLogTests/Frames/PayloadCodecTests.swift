import DaybookBytes
@testable import DaybookLog
import Testing

/// A transform that compresses well but does not restore its input.
private struct WrongTransform: PayloadTransform {
    var result: [UInt8]

    func forward(_ payload: Span<UInt8>) -> [UInt8]? { [UInt8](repeating: 0, count: 32) }
    func inverse(_ stored: Span<UInt8>, rawLength: Int) throws(DaybookError) -> [UInt8] {
        result
    }
    func pack(_ payload: Span<UInt8>, _ encoder: TokenEncoder?) -> [UInt8]? {
        [UInt8](repeating: 0, count: 32)
    }
    func unpack(
        _ stored: [UInt8], rawLength: Int, tokens: TokenTable?
    ) -> any PackedRecords {
        WrongRecords(result: result)
    }
    func record(
        at offset: Int, ofPacked stored: Span<UInt8>, rawLength: Int, tokens: TokenTable?
    ) throws(DaybookError) -> [UInt8] { result }
    func texts(of payload: Span<UInt8>) -> PayloadTexts { PayloadTexts() }
}

private final class WrongRecords: PackedRecords {
    let result: [UInt8]

    init(result: [UInt8]) { self.result = result }

    var rawLength: Int { result.count }
    var memoryBytes: Int { result.count }

    func record(at offset: Int) throws(DaybookError) -> [UInt8] { result }
    func payload() throws(DaybookError) -> [UInt8] { result }
}

@Suite struct PayloadCodecTests {
    private let payload = (0..<4096).map { UInt8(truncatingIfNeeded: $0 / 7) }

    private func header(_ deflated: PayloadCodec.Deflated, rawLength: Int) -> FrameHeader {
        FrameHeader(
            kind: FrameKind.records, codec: deflated.codec,
            storedLength: deflated.stored.count, rawLength: rawLength, recordCount: 1,
            firstSequence: 1, lastSequence: 1, durableSequence: 1, timeMicroseconds: 1,
            endsTransaction: true)
    }

    @Test func `a transform that does not restore the payload is not used`() throws {
        // A compaction deletes the originals, so the compressed payload must be correct.
        var other = payload
        other[100] ^= 1
        for wrong in [other, [], Array(payload.dropLast())] {
            let codec = PayloadCodec(transform: WrongTransform(result: wrong))
            let deflated = try codec.deflate(payload.span, level: 3)
            #expect(deflated.codec == .zstd)
            let read = try codec.inflate(
                deflated.stored.span, header(deflated, rawLength: payload.count))
            #expect(read == payload)
        }
    }

    @Test func `a transform that restores the payload is used`() throws {
        let codec = PayloadCodec(transform: WrongTransform(result: payload))
        #expect(try codec.deflate(payload.span, level: 3).codec == .transformedZstd)
    }

    @Test func `a packed form that does not restore the payload is not used`() {
        var other = payload
        other[100] ^= 1
        for wrong in [other, [], Array(payload.dropLast())] {
            let codec = PayloadCodec(transform: WrongTransform(result: wrong))
            #expect(codec.pack(payload.span, nil, nil) == nil)
        }
        let codec = PayloadCodec(transform: WrongTransform(result: payload))
        #expect(codec.pack(payload.span, nil, nil)?.codec == .packed)
    }

    @Test func `a payload that is too long for the compressor is stored raw`() throws {
        // One such record, of almost 1 GiB, once blocked every later compaction.
        var codec = PayloadCodec(transform: WrongTransform(result: payload))
        codec.compressedLengthMax = payload.count - 1
        let deflated = try codec.deflate(payload.span, level: 3)
        #expect(deflated.codec == .raw)
        #expect(deflated.stored == payload)
    }
}
