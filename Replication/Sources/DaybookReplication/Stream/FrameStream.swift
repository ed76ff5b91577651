import DaybookNATS
import NIOCore

/// A message of the stream of a log.
struct StreamMessage: Sendable {
    var sequence: UInt64
    /// The sequence of the message before it in the log; 0 for the first one, and nil if it is
    /// unknown, so that messages between may be missing.
    var predecessor: UInt64?
    var bytes: ByteBuffer
}

/// The messages of a log that a stream has.
struct StreamBounds: Sendable, Equatable {
    /// The stream has all messages of the log after this sequence.
    var after: UInt64
    /// The sequence of the last message; equal to ``after`` if there is none.
    var last: UInt64
}

/// The stream that orders the frames of a log. Any answer may be lost, and reads may be old.
protocol FrameStream: Sendable {
    /// The name of the stream.
    var name: String { get }
    /// The maximum length of a frame.
    var frameSizeBytesMax: Int { get }

    /// Appends frames with consecutive sequences if the last message of the log is `last`. Returns
    /// the sequence of the last frame, or nil if the answer names another place. An error or nil is
    /// no proof that nothing was stored.
    func append(
        _ frames: [EncodedFrame], after last: UInt64
    ) async throws(NATSError) -> UInt64?

    /// The messages after a message of the log that the caller has read, or after
    /// ``StreamBounds/after``, in order; empty if the server that answers knows none.
    func messages(
        after sequence: UInt64, sizeBytesMax: Int
    ) async throws(NATSError) -> [StreamMessage]

    /// The first message of the log with a sequence of at least `sequence`; nil if the server that
    /// answers knows none.
    func message(from sequence: UInt64) async throws(NATSError) -> StreamMessage?

    /// The last message of the log with a sequence of at most `sequence`; nil if the server that
    /// answers knows none.
    func message(upTo sequence: UInt64) async throws(NATSError) -> StreamMessage?

    /// The messages that the stream has; the last one as far as the server knows that leads the
    /// stream, or believes that it does.
    func bounds() async throws(NATSError) -> StreamBounds

    /// Calls `signal` when messages may have been added, until the returned task is cancelled.
    func watch(_ signal: Signal) -> Task<Void, Never>
}
