import Daybook
import DaybookNATS

/// The state of a replicated log, as the last frame in its stream says.
public struct LogStatus: Sendable, Hashable {
    /// The identity of the store.
    public var store: String
    /// The number of the last claim.
    public var term: UInt64
    /// The last sequence of the store.
    public var sequence: UInt64
    /// The sequences of the first and the last message in the stream.
    public var messages: ClosedRange<UInt64>
    /// When the writer made the frame, in microseconds since 1970, by the writer's clock.
    public var timeMicroseconds: UInt64
}

extension ReplicatedLog {
    /// Returns the state of the log.
    ///
    /// Reads the last messages until one is a frame, without a check that the frame counts. Throws
    /// `.streamNotFound` if the last 100 messages contain none, and `NATSError`.
    public func status() async throws -> LogStatus {
        let frames = frames
        let bounds = try await frames.bounds()
        var sequence = bounds.last
        for _ in 0..<Self.readCountMax where sequence > bounds.after {
            guard let message = try await frames.message(upTo: sequence) else { break }
            if let frame = ReplicationFrame(decoding: message.bytes) {
                return LogStatus(
                    store: frame.store, term: frame.term, sequence: frame.lastSequence,
                    messages: (bounds.after + 1)...bounds.last,
                    timeMicroseconds: frame.timeMicroseconds)
            }
            sequence = message.sequence - 1
        }
        throw DaybookError.notFound(stream: frames.name)
    }

    private static let readCountMax = 100
}
