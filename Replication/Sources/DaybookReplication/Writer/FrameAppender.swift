import Daybook
import DaybookNATS
import ReplicationSupport

/// Appends frames to a stream, with one batch in flight, until it is known whether they are in the
/// log.
struct FrameAppender {
    /// The fate of a batch.
    enum Outcome: Sendable, Equatable {
        /// All frames are in the log.
        case stored
        /// A frame of another writer is at the place of the next one. The chain ends before it.
        case superseded
    }

    let stream: any FrameStream
    /// The log up to the last message that is known.
    var chain: ReplicationChain

    /// The length of the messages that one read of ``resolve(_:)`` returns.
    private static let readSizeBytesMax = 8 << 20

    /// Appends frames that continue the chain.
    ///
    /// Neither a refusal nor a lost answer proves anything: another server may have stored the
    /// frames. So the method reads the messages at their places, and sends the same frames again if
    /// there are none. `failed` is called after each attempt without a result; its duration counts
    /// from the first attempt. Throws `.streamTruncated` if messages at the places are missing, the
    /// errors of `failed`, and `CancellationError`.
    mutating func append(
        _ frames: [EncodedFrame], failed: ((any Error)?, Duration) throws -> Void
    ) async throws -> Outcome {
        var rest = frames[...]
        var delay = RetryDelay()
        let start = ContinuousClock.now
        while true {
            try Task.checkCancellation()
            var failure: (any Error)?
            do {
                if let last = try await stream.append(Array(rest), after: chain.streamSequence) {
                    let first = last + 1 - UInt64(rest.count)
                    for (frame, place) in zip(rest, first...) { accept(frame, at: place) }
                    return .stored
                }
            } catch {
                failure = error
            }
            do {
                if let outcome = try await resolve(&rest) { return outcome }
            } catch let error as NATSError {
                failure = failure ?? error
            }
            try failed(failure, start.duration(to: .now))
            await delay.wait()
        }
    }

    /// Reads the messages at the places of the frames. Returns nil if the outcome is unknown.
    private mutating func resolve(
        _ rest: inout ArraySlice<EncodedFrame>
    ) async throws -> Outcome? {
        let messages = try await stream.messages(
            after: chain.streamSequence, sizeBytesMax: Self.readSizeBytesMax)
        for message in messages {
            // A claim may have been among messages that were purged.
            try chain.requireNext(message, of: stream.name)
            if let frame = rest.first, FrameHash(of: message.bytes) == frame.hash {
                accept(frame, at: message.sequence)
                rest.removeFirst()
                if rest.isEmpty { return .stored }
                continue
            }
            // Two stores must not begin logs in one stream.
            if chain.term == 0, chain.isOther(message.bytes) { return .superseded }
            var next = chain
            guard next.accept(message.bytes, at: message.sequence) == .skipped else {
                return .superseded
            }
            chain = next
        }
        return nil
    }

    private mutating func accept(_ frame: EncodedFrame, at sequence: UInt64) {
        let step = chain.accept(frame.bytes, at: sequence)
        precondition(step != .skipped, "the frames of a writer continue its chain")
    }
}
