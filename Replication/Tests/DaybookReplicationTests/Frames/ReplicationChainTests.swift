import Daybook
@testable import DaybookReplication
import NIOCore
import Testing

@Suite struct ReplicationChainTests {
    private let claimed = TestFrames.claimed()

    @Test func `frames that follow each other count`() {
        var chain = claimed
        let frame = TestFrames.transactions(after: chain, count: 3)
        #expect(
            chain.accept(frame.bytes, at: 2)
                == .transactions(ByteBuffer(string: "payload"), afterSequence: 0))
        #expect(chain.lastSequence == 3 && chain.streamSequence == 2 && chain.hash == frame.hash)
        #expect(chain.accept(TestFrames.claim(after: chain, writer: 2).bytes, at: 3) == .claimed)
        #expect(chain.term == 2 && chain.writer == 2 && chain.skippedCount == 0)
    }

    @Test func `the parts of transactions count with the last one`() {
        var chain = claimed
        let first = TestFrames.transactions(after: chain, part: 0, partCount: 2, "a")
        #expect(chain.accept(first.bytes, at: 2) == .part)
        #expect(!chain.isWhole && chain.lastSequence == 0)
        let second = TestFrames.transactions(after: chain, part: 1, partCount: 2, "b")
        #expect(
            chain.accept(second.bytes, at: 3)
                == .transactions(ByteBuffer(string: "ab"), afterSequence: 0))
        #expect(chain.isWhole && chain.lastSequence == 1)
    }

    @Test func `a claim discards transactions without their last part`() {
        var chain = claimed
        let part = TestFrames.transactions(after: chain, part: 0, partCount: 2, "a")
        #expect(chain.accept(part.bytes, at: 2) == .part)
        #expect(chain.accept(TestFrames.claim(after: chain, writer: 2).bytes, at: 3) == .claimed)
        #expect(chain.isWhole && chain.lastSequence == 0)
        let next = TestFrames.transactions(after: chain, writer: 2, "c")
        #expect(
            chain.accept(next.bytes, at: 4)
                == .transactions(ByteBuffer(string: "c"), afterSequence: 0))
    }

    @Test func `a frame of an idle writer counts and changes no sequence`() {
        var chain = claimed
        #expect(chain.accept(TestFrames.alive(after: chain).bytes, at: 2) == .alive)
        #expect(chain.lastSequence == 0 && chain.frameSequence == 2)
        #expect(chain.accept(TestFrames.alive(after: chain, writer: 2).bytes, at: 3) == .skipped)
        let part = TestFrames.transactions(after: chain, part: 0, partCount: 2)
        #expect(chain.accept(part.bytes, at: 4) == .part)
        #expect(chain.accept(TestFrames.alive(after: chain).bytes, at: 5) == .skipped)
    }

    @Test func `a part in the wrong place does not count`() {
        var chain = claimed
        let second = TestFrames.transactions(after: chain, part: 1, partCount: 2)
        #expect(chain.accept(second.bytes, at: 2) == .skipped)
        #expect(chain.isWhole && chain.hash == claimed.hash)
    }

    @Test func `foreign and late messages do not count`() {
        var chain = claimed
        let late = TestFrames.transactions(after: chain, "late")
        let frame = TestFrames.transactions(after: chain)
        _ = chain.accept(frame.bytes, at: 2)
        let before = chain
        let otherStore = ReplicationChain(store: String(TestFrames.store.reversed()))
        let messages = [
            ByteBuffer(), ByteBuffer(string: "rubbish"), late.bytes, frame.bytes,
            TestFrames.transactions(after: otherStore).bytes,
            TestFrames.claim(after: chain, term: chain.term).bytes,
            TestFrames.claim(after: chain, term: chain.term + 2).bytes,
            TestFrames.transactions(after: chain, writer: 2).bytes,
        ]
        for (place, message) in messages.enumerated() {
            #expect(chain.accept(message, at: UInt64(3 + place)) == .skipped)
        }
        #expect(chain.hash == before.hash && chain.lastSequence == before.lastSequence)
        #expect(chain.skippedCount == messages.count && chain.streamSequence == 10)
        #expect(chain.frameSequence == 2)
    }

    @Test func `a reader that begins at a place continues in the same way`() {
        var chain = claimed
        _ = chain.accept(TestFrames.transactions(after: chain).bytes, at: 2)
        _ = chain.accept(ByteBuffer(string: "foreign"), at: 3)
        var other = ReplicationChain(
            store: TestFrames.store, after: ReplicaPlace(chain, stream: "LOG", isWriter: true))
        #expect(other.streamSequence == 2)
        _ = other.accept(ByteBuffer(string: "foreign"), at: 3)
        let next = TestFrames.transactions(after: chain)
        #expect(chain.accept(next.bytes, at: 4) == other.accept(next.bytes, at: 4))
        #expect(chain.hash == other.hash && chain.lastSequence == other.lastSequence)
    }

    @Test func `a place is before transactions whose last part is missing`() {
        var chain = claimed
        let first = TestFrames.transactions(after: chain, part: 0, partCount: 2, "a")
        _ = chain.accept(first.bytes, at: 2)
        var other = ReplicationChain(
            store: TestFrames.store, after: ReplicaPlace(chain, stream: "LOG", isWriter: false))
        #expect(other.streamSequence == 1 && other.hash == claimed.hash)
        _ = other.accept(first.bytes, at: 2)
        let second = TestFrames.transactions(after: chain, part: 1, partCount: 2, "b")
        let step = chain.accept(second.bytes, at: 3)
        #expect(step == .transactions(ByteBuffer(string: "ab"), afterSequence: 0))
        #expect(other.accept(second.bytes, at: 3) == step && other.hash == chain.hash)
    }

    @Test func `a missing message is an error`() {
        var chain = claimed
        let message = StreamMessage(sequence: 3, predecessor: 2, bytes: ByteBuffer())
        #expect {
            try chain.next(message, of: "LOG")
        } throws: {
            ($0 as? DaybookError)?.code == .streamTruncated
        }
    }
}
