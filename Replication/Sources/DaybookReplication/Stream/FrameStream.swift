import DaybookNATS
import NIOCore

/// A message of the stream of a log.
struct StreamMessage: Sendable {
    var sequence: UInt64
    var bytes: ByteBuffer
}

/// The stream that orders the frames of a log. Any answer may be lost, and reads may be old.
protocol FrameStream: Sendable {
    /// The name of the stream.
    var name: String { get }
    /// The maximum length of a frame.
    var frameSizeBytesMax: Int { get }

    /// Appends frames with consecutive sequences if the last sequence of the stream is `last`.
    /// Returns the sequence of the last frame. An error or another sequence is no proof that
    /// nothing was stored.
    func append(
        _ frames: [EncodedFrame], after last: UInt64
    ) async throws(NATSError) -> UInt64

    /// Messages from a sequence on, in order; empty if the server that answers knows none.
    func messages(
        from sequence: UInt64, sizeBytesMax: Int
    ) async throws(NATSError) -> [StreamMessage]

    /// The first and the last sequence of the stream, as far as the server that answers knows. An
    /// empty stream has a first sequence after its last one.
    func bounds() async throws(NATSError) -> (first: UInt64, last: UInt64)

    /// Calls `signal` when messages may have been added, until the returned task is cancelled.
    func watch(_ signal: Signal) -> Task<Void, Never>
}
