import Daybook
import DaybookReplica
import NIOCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes the frames of one writer.
struct FrameMaker: Sendable {
    /// A random number that distinguishes this writer from all others.
    let writer = UInt64.random(in: 1 ... .max)

    /// The frame with which the writer takes over a log.
    func claim(after chain: ReplicationChain) -> EncodedFrame {
        EncodedFrame(
            ReplicationFrame(
                kind: .claim, store: chain.store, term: chain.term + 1, writer: writer,
                predecessor: chain.hash, afterSequence: chain.lastSequence,
                lastSequence: chain.lastSequence, timeMicroseconds: Self.now))
    }

    /// The frame with which an idle writer shows that it is alive.
    func alive(after chain: ReplicationChain) -> EncodedFrame {
        EncodedFrame(
            ReplicationFrame(
                kind: .alive, store: chain.store, term: chain.term, writer: writer,
                predecessor: chain.hash, afterSequence: chain.lastSequence,
                lastSequence: chain.lastSequence, timeMicroseconds: Self.now))
    }

    /// The frames of transactions that follow a chain, each of at most `sizeBytesMax` bytes.
    func frames(
        of transactions: ReplicaTransactions, after chain: ReplicationChain, sizeBytesMax: Int
    ) -> [EncodedFrame] {
        let partSizeBytes = max(1, sizeBytesMax - ReplicationFrame.headerLength)
        let count = transactions.bytes.count
        let partCount = max(1, (count + partSizeBytes - 1) / partSizeBytes)
        var predecessor = chain.hash
        return (0..<partCount).map { part in
            let start = part * partSizeBytes
            let bytes = transactions.bytes[start..<min(start + partSizeBytes, count)]
            let frame = EncodedFrame(
                ReplicationFrame(
                    kind: .transactions, store: chain.store, term: chain.term, writer: writer,
                    predecessor: predecessor, afterSequence: chain.lastSequence,
                    lastSequence: transactions.lastSequence, timeMicroseconds: Self.now,
                    part: UInt32(part), partCount: UInt32(partCount),
                    payload: ByteBuffer(bytes: bytes)))
            predecessor = frame.hash
            return frame
        }
    }

    private static var now: UInt64 {
        UInt64(max(0, Date().timeIntervalSince1970 * 1_000_000))
    }
}
