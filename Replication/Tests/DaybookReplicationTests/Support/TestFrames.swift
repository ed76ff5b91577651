@testable import DaybookReplication
import NIOCore

/// Makes frames of a log by hand.
struct TestFrames {
    static let store = "01234567-89ab-4cde-8f01-23456789abcd"

    var chain = ReplicationChain(store: store)

    /// A claim that follows a chain.
    static func claim(
        after chain: ReplicationChain, writer: UInt64 = 1, term: UInt64? = nil
    ) -> EncodedFrame {
        EncodedFrame(
            ReplicationFrame(
                kind: .claim, store: chain.store, term: term ?? chain.term + 1, writer: writer,
                predecessor: chain.hash, afterSequence: chain.lastSequence,
                lastSequence: chain.lastSequence, timeMicroseconds: 0))
    }

    /// A frame of an idle writer.
    static func alive(after chain: ReplicationChain, writer: UInt64 = 1) -> EncodedFrame {
        EncodedFrame(
            ReplicationFrame(
                kind: .alive, store: chain.store, term: chain.term, writer: writer,
                predecessor: chain.hash, afterSequence: chain.lastSequence,
                lastSequence: chain.lastSequence, timeMicroseconds: 0))
    }

    /// Transactions that follow a chain.
    static func transactions(
        after chain: ReplicationChain, writer: UInt64 = 1, count: UInt64 = 1, part: UInt32 = 0,
        partCount: UInt32 = 1, _ text: String = "payload"
    ) -> EncodedFrame {
        EncodedFrame(
            ReplicationFrame(
                kind: .transactions, store: chain.store, term: chain.term, writer: writer,
                predecessor: chain.hash, afterSequence: chain.lastSequence,
                lastSequence: chain.lastSequence + count, timeMicroseconds: 0, part: part,
                partCount: partCount, payload: ByteBuffer(string: text)))
    }

    /// A chain after the first claim of a writer, at message 1.
    static func claimed(writer: UInt64 = 1) -> ReplicationChain {
        var chain = ReplicationChain(store: store)
        _ = chain.accept(claim(after: chain, writer: writer).bytes, at: 1)
        return chain
    }
}
