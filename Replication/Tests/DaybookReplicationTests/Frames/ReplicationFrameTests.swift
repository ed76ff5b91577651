@testable import DaybookReplication
import NIOCore
import Testing

@Suite struct ReplicationFrameTests {
    private let frame = ReplicationFrame(
        kind: .transactions, store: TestFrames.store, term: 3, writer: .max,
        predecessor: FrameHash(of: ByteBuffer(string: "before")), afterSequence: 7,
        lastSequence: 9, timeMicroseconds: 5, part: 1, partCount: 2,
        payload: ByteBuffer(string: "content"))

    @Test func `a decoded frame equals the encoded one`() {
        #expect(ReplicationFrame(decoding: frame.encoded()) == frame)
        let claim = TestFrames.claim(after: TestFrames.claimed())
        #expect(ReplicationFrame(decoding: claim.bytes) == claim.frame)
        #expect(frame.encoded().readableBytes == ReplicationFrame.headerLength + 7)
    }

    @Test func `a shortened frame is foreign`() {
        let bytes = frame.encoded()
        for length in 0...ReplicationFrame.headerLength {
            #expect(ReplicationFrame(decoding: bytes.getSlice(at: 0, length: length)!) == nil)
        }
    }

    @Test func `fields that contradict each other make a frame foreign`() {
        var claim = TestFrames.claim(after: TestFrames.claimed()).frame
        claim.payload = ByteBuffer(string: "x")
        #expect(ReplicationFrame(decoding: claim.encoded()) == nil)
        var other = frame
        other.lastSequence = other.afterSequence
        #expect(ReplicationFrame(decoding: other.encoded()) == nil)
        other = frame
        other.part = other.partCount
        #expect(ReplicationFrame(decoding: other.encoded()) == nil)
        other = frame
        other.payload = ByteBuffer()
        #expect(ReplicationFrame(decoding: other.encoded()) == nil)
    }

    @Test func `a changed byte of the fixed fields makes a frame foreign or another one`() {
        let bytes = Array(frame.encoded().readableBytesView)
        for place in 0..<ReplicationFrame.headerLength {
            var changed = bytes
            changed[place] ^= 1
            let message = ByteBuffer(bytes: changed)
            #expect(ReplicationFrame(decoding: message) != frame)
            #expect(FrameHash(of: message) != FrameHash(of: frame.encoded()))
        }
    }

    @Test func `a hash is read from its digits`() {
        let hash = FrameHash(of: ByteBuffer(string: "abc"))
        #expect(hash.text.hasPrefix("ba7816bf") && FrameHash(text: hash.text) == hash)
        for text in [
            "", "ba", hash.text.uppercased(), hash.text + "0", "+" + hash.text.dropFirst(),
        ] {
            #expect(FrameHash(text: text) == nil)
        }
    }

    @Test func `a place is read from its document`() throws {
        let place = ReplicaPlace(TestFrames.claimed(writer: .max), stream: "LOG", isWriter: true)
        #expect(try ReplicaPlace(decoding: place.encoded()) == place)
        #expect(ReplicaPlace(decoding: []) == nil)
        #expect(ReplicaPlace(decoding: Array("{\"version\":2}".utf8)) == nil)
    }
}
