import Daybook
import DaybookNATS
import DaybookReplica

/// The first messages of a stream, from which an opening learns to which store the log belongs.
struct LogBeginning {
    private let stream: any FrameStream
    /// The sequence of the first message that the stream has.
    private let first: UInt64
    /// The identity of the store; nil if no frame is among the first messages.
    let store: String?
    /// Whether the first frame of the log is there.
    private let hasFirstFrame: Bool

    private static let readSizeBytesMax = 1 << 20

    /// Reads the first messages. Throws the errors of the stream.
    init(_ stream: any FrameStream) async throws {
        self.stream = stream
        let bounds = try await stream.bounds()
        first = max(bounds.first, 1)
        let messages = try await stream.messages(
            from: first, sizeBytesMax: Self.readSizeBytesMax)
        let frames = messages.lazy.compactMap { ReplicationFrame(decoding: $0.bytes) }
        store = frames.first?.store
        hasFirstFrame = frames.contains { $0.predecessor == .none }
    }

    /// Throws `.streamTruncated` if a new replica cannot read the log from its beginning, and
    /// `.streamNotFound` if there is no log that it needs.
    func check(isNew: Bool, _ needsLog: Bool) throws(DaybookError) {
        guard isNew else { return }
        if first > 1, !hasFirstFrame {
            throw .truncated(stream: stream.name, from: first, needed: 1)
        }
        if needsLog, store == nil { throw .notFound(stream: stream.name) }
    }

    /// Returns the chain of a replica at its place. Throws `.streamReplaced` if the stream is not
    /// the log of the replica, and `.streamTruncated` if frames between are missing.
    func chain(of replica: Replica, at place: ReplicaPlace?) async throws -> ReplicationChain {
        try check(replica)
        guard let place, place.term > 0 else {
            guard first == 1 || hasFirstFrame else {
                throw DaybookError.truncated(stream: stream.name, from: first, needed: 1)
            }
            return ReplicationChain(store: replica.identity, afterMessage: first - 1)
        }
        guard place.stream == stream.name else {
            throw DaybookError.replaced(
                stream: stream.name, "the replica followed the stream \(place.stream)")
        }
        guard place.lastSequence <= replica.lastSequence else {
            throw DaybookError.replaced(
                stream: stream.name,
                "the replica was saved with sequence \(place.lastSequence), but ends with"
                    + " \(replica.lastSequence)")
        }
        try await check(place)
        return ReplicationChain(store: replica.identity, after: place)
    }

    /// Throws `.streamReplaced` if the log belongs to another store than a replica.
    func check(_ replica: Replica) throws(DaybookError) {
        guard let store, store != replica.identity else { return }
        throw .replaced(
            stream: stream.name,
            "it belongs to the store \(store), and the directory contains the store"
                + " \(replica.identity)")
    }

    /// Throws unless the stream still has the frame of a place, or the message after it.
    private func check(_ place: ReplicaPlace) async throws {
        guard first <= place.streamSequence else {
            guard first == place.streamSequence + 1 else {
                throw DaybookError.truncated(
                    stream: stream.name, from: first, needed: place.streamSequence + 1)
            }
            return
        }
        var delay = RetryDelay()
        // The server that answers may not have the message yet.
        for _ in 0..<8 {
            let found = try await stream.messages(from: place.streamSequence, sizeBytesMax: 1)
            guard let message = found.first else {
                await delay.wait()
                continue
            }
            guard message.sequence == place.streamSequence,
                FrameHash(of: message.bytes) == place.hash
            else {
                throw DaybookError.replaced(
                    stream: stream.name,
                    "message \(place.streamSequence) is another one than the replica has read")
            }
            return
        }
        throw DaybookError.replaced(
            stream: stream.name, "it ends before message \(place.streamSequence)")
    }
}
