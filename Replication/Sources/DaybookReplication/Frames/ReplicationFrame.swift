import NIOCore

/// One message of a replicated log.
struct ReplicationFrame: Sendable, Equatable {
    /// The content of a frame.
    enum Kind: UInt8, Sendable {
        /// A writer takes over the log. The term is that of its predecessor plus one.
        case claim = 1
        /// Transactions of the current writer, or a part of them.
        case transactions = 2
        /// Shows that the current writer is alive while it has no transactions.
        case alive = 3
    }

    var kind: Kind
    /// The identity of the store, a UUID.
    var store: String
    /// The number of the writer's claim, from 1.
    var term: UInt64
    /// A random number of the writer.
    var writer: UInt64
    /// The hash of the frame before; zeros for the first frame of a log.
    var predecessor: FrameHash
    /// The last sequence before the transactions.
    var afterSequence: UInt64
    /// The last sequence of the transactions; of other frames, equal to ``afterSequence``.
    var lastSequence: UInt64
    /// When the writer made the frame, in microseconds since 1970. For people only.
    var timeMicroseconds: UInt64
    /// The number of this part of the transactions, from 0.
    var part: UInt32 = 0
    /// The number of parts of the transactions.
    var partCount: UInt32 = 1
    /// The part of the encoded transactions; empty in other frames.
    var payload = ByteBuffer()
}

/// A frame and its bytes, as they are in the stream.
struct EncodedFrame: Sendable {
    var frame: ReplicationFrame
    var bytes: ByteBuffer
    var hash: FrameHash

    init(_ frame: ReplicationFrame) {
        self.frame = frame
        bytes = frame.encoded()
        hash = FrameHash(of: bytes)
    }
}
