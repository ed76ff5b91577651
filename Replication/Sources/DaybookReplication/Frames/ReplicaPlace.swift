import Foundation

/// The place of a replica in its replicated log: the last frame whose transactions it has.
struct ReplicaPlace: Sendable, Equatable {
    /// The name of the stream.
    var stream: String
    /// The sequence of the frame in the stream.
    var streamSequence: UInt64
    /// The hash of the frame.
    var hash: FrameHash
    /// The term and the writer of the frame.
    var term: UInt64
    var writer: UInt64
    /// The last sequence of the transactions up to the frame.
    var lastSequence: UInt64
    /// Whether the replica was that writer. The transactions in its local log that are not in the
    /// replicated log then belong to the term, and may be shipped while no other replica has
    /// claimed the log.
    var isWriter: Bool
    /// The writers of claims that the replica was about to append. If the last claim in the log is
    /// one of them, the transactions may be shipped, too.
    var claimingWriters: [UInt64] = []

    private struct Document: Codable {
        var version = 1
        var stream: String
        var streamSequence: UInt64
        var hash: String
        var term: UInt64
        var writer: UInt64
        var lastSequence: UInt64
        var isWriter: Bool
        var claimingWriters: [UInt64]
    }

    init(_ chain: ReplicationChain, stream: String, isWriter: Bool) {
        self.isWriter = isWriter
        self.stream = stream
        streamSequence = chain.start.frameSequence
        hash = chain.start.hash
        term = chain.term
        writer = chain.writer
        lastSequence = chain.lastSequence
    }

    /// Whether the transactions of the replica that are not in the log may be shipped after the
    /// claim of a writer: the replica was that writer, or was about to be.
    func mayShipTail(afterClaimOf writer: UInt64, _ term: UInt64) -> Bool {
        isWriter
            && (writer == self.writer && term == self.term || claimingWriters.contains(writer))
    }

    /// The bytes that a replica saves.
    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return Array(
            try encoder.encode(
                Document(
                    stream: stream, streamSequence: streamSequence, hash: hash.text, term: term,
                    writer: writer, lastSequence: lastSequence, isWriter: isWriter,
                    claimingWriters: claimingWriters)))
    }

    /// Decodes saved bytes; nil if they are no place of this format.
    init?(decoding bytes: [UInt8]) {
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)),
            document.version == 1, document.streamSequence < .max,
            let hash = FrameHash(text: document.hash)
        else { return nil }
        stream = document.stream
        streamSequence = document.streamSequence
        self.hash = hash
        term = document.term
        writer = document.writer
        lastSequence = document.lastSequence
        isWriter = document.isWriter
        claimingWriters = document.claimingWriters
    }
}
