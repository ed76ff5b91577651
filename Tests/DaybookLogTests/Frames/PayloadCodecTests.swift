import DaybookBytes
@testable import DaybookLog
import Testing

/// A transform that gains a lot and does not give back what it was given.
private struct LyingTransform: PayloadTransform {
    var givesBack: [UInt8]

    func forward(_ payload: Span<UInt8>) -> [UInt8]? { [UInt8](repeating: 0, count: 32) }
    func inverse(_ stored: Span<UInt8>, rawLength: Int) throws(DaybookError) -> [UInt8] {
        givesBack
    }
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

    @Test func `a transform that does not give the payload back is not used`() throws {
        // A compaction removes the originals: what it compressed is all that is left.
        var other = payload
        other[100] ^= 1
        for wrong in [other, [], Array(payload.dropLast())] {
            let codec = PayloadCodec(transform: LyingTransform(givesBack: wrong))
            let deflated = try codec.deflate(payload.span, level: 3)
            #expect(deflated.codec == .zstd)
            let read = try codec.inflate(
                deflated.stored.span, header(deflated, rawLength: payload.count))
            #expect(read == payload)
        }
    }

    @Test func `a transform that gives the payload back is used`() throws {
        let codec = PayloadCodec(transform: LyingTransform(givesBack: payload))
        #expect(try codec.deflate(payload.span, level: 3).codec == .transformedZstd)
    }

    @Test func `a payload that is too long for the compressor is stored raw`() throws {
        // One such record, of almost a gibibyte, kept every later compaction from its work.
        var codec = PayloadCodec(transform: LyingTransform(givesBack: payload))
        codec.compressedLengthMax = payload.count - 1
        let deflated = try codec.deflate(payload.span, level: 3)
        #expect(deflated.codec == .raw)
        #expect(deflated.stored == payload)
    }
}
