import Daybook
import DaybookNATS
import DaybookReplica
import ReplicationSupport

/// The first messages of a stream, from which an opening learns to which store the log belongs.
struct LogBeginning {
    private let stream: any FrameStream
    /// The stream has all messages of the log after this sequence.
    private let after: UInt64
    /// The identity of the store; nil if no frame is among the first messages.
    let store: String?
    /// Whether the first frame of the log is there.
    private let hasFirstFrame: Bool

    private static let readSizeBytesMax = 1 << 20

    /// Reads the first messages. Throws the errors of the stream.
    init(_ stream: any FrameStream) async throws {
        self.stream = stream
        after = try await stream.bounds().after
        let messages = try await stream.messages(
            after: after, sizeBytesMax: Self.readSizeBytesMax)
        let frames = messages.lazy.compactMap { ReplicationFrame(decoding: $0.bytes) }
        store = frames.first?.store
        hasFirstFrame = frames.contains { $0.predecessor == .none }
    }

    /// Throws `.streamTruncated` if a new replica cannot read the log from its beginning, and
    /// `.streamNotFound` if there is no log that it needs.
    func check(isNew: Bool, _ needsLog: Bool) throws(DaybookError) {
        guard isNew else { return }
        if after > 0 || store != nil, !hasFirstFrame {
            throw .truncated(stream: stream.name, from: after + 1, after: 0)
        }
        if needsLog, store == nil { throw .notFound(stream: stream.name) }
    }

    /// Returns the chain of a replica at its place. Throws `.streamReplaced` if the stream is not
    /// the log of the replica, and `.streamTruncated` if frames between are missing.
    func chain(of replica: Replica, at place: ReplicaPlace?) async throws -> ReplicationChain {
        try check(replica)
        guard let place, place.term > 0 else {
            guard after == 0 || hasFirstFrame else {
                throw DaybookError.truncated(stream: stream.name, from: after + 1, after: 0)
            }
            return ReplicationChain(store: replica.identity, afterMessage: after)
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
        guard after < place.streamSequence else {
            guard after == place.streamSequence else {
                throw DaybookError.truncated(
                    stream: stream.name, from: after + 1, after: place.streamSequence)
            }
            return
        }
        var delay = RetryDelay()
        // The server that answers may not have the message yet.
        for _ in 0..<8 {
            guard let message = try await stream.message(from: place.streamSequence) else {
                await delay.wait()
                continue
            }
            guard message.sequence == place.streamSequence else {
                throw DaybookError.truncated(
                    stream: stream.name, from: message.sequence, after: place.streamSequence)
            }
            guard FrameHash(of: message.bytes) == place.hash else {
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
