internal import NIOCore

/// A part of a stream, in order.
public struct StoredMessages: Sendable {
    /// The messages.
    public var messages: [StoredMessage]
    /// The count of later messages that match and are not in this part.
    public var pendingCount: UInt64
}

extension JetStream {
    /// Returns the message at a sequence; nil if the stream does not have it.
    ///
    /// Any replica may answer, and its copy may be old, so nil for a recent sequence is no proof.
    /// Throws `.noResponders` if the stream does not exist or does not allow direct reads, and the
    /// errors of a request. One round trip.
    public func message(
        in stream: String, at sequence: UInt64
    ) async throws(NATSError) -> StoredMessage? {
        // Sequences begin at 1, and the server treats 0 as a missing argument.
        guard sequence > 0 else { return nil }
        return try await direct(stream, DirectGet(seq: sequence))
    }

    /// Returns the last message on a subject, which may have wildcards; nil if there is none.
    /// Throws as ``message(in:at:)``. One round trip.
    ///
    /// Without wildcards, the subject is a part of the request's subject,
    /// `$JS.API.DIRECT.GET.STREAM.SUBJECT`, so a server can permit reads of some subjects only.
    public func lastMessage(
        in stream: String, on subject: String
    ) async throws(NATSError) -> StoredMessage? {
        try NATSSubject.checkSubscribe(subject)
        // The subject of a request cannot contain wildcards.
        guard (try? NATSSubject.checkPublish(subject)) != nil else {
            return try await direct(stream, DirectGet(last_by_subj: subject))
        }
        return try await direct(stream, nil, on: subject)
    }

    /// Returns the last message on a subject, with a sequence of at most `sequence`; nil if there
    /// is none. Throws as ``message(in:at:)``. One round trip, or two for an earlier message.
    public func lastMessage(
        in stream: String, on subject: String, upTo sequence: UInt64
    ) async throws(NATSError) -> StoredMessage? {
        guard sequence < .max else { return try await lastMessage(in: stream, on: subject) }
        // The server treats 0 as a missing argument.
        guard sequence > 0 else { return nil }
        try NATSSubject.checkPublish(subject)
        // It returns nothing for a sequence after its last one.
        let last = try await lastMessage(in: stream, on: subject)
        guard let last, last.sequence > sequence else { return last }
        let request = DirectGet(multi_last: [subject], up_to_seq: sequence)
        return try await directMany(stream, request, maxCount: 1, maxBytes: 1, nil).messages.first
    }

    /// Returns the last sequence of a subject; 0 for none.
    ///
    /// The server that leads the stream answers, so the sequence is newer than that of
    /// ``lastMessage(in:on:upTo:)``. A server that lost its leadership may still answer. Throws
    /// `.streamNotFound`, and the errors of a request. One round trip with the message.
    public func lastSequence(
        in stream: String, on subject: String
    ) async throws(NATSError) -> UInt64 {
        try NATSSubject.checkName(stream, of: "stream")
        try NATSSubject.checkPublish(subject)
        do throws(NATSError) {
            let answer: FoundMessage = try await call(
                "STREAM.MSG.GET.\(stream)", DirectGet(last_by_subj: subject))
            return answer.message.seq
        } catch  where error.code == .messageNotFound {
            return 0
        }
    }

    /// The part of the leader's answer that is needed.
    private struct FoundMessage: Decodable {
        struct Message: Decodable { var seq: UInt64 }
        var message: Message
    }

    /// Returns messages from a sequence on, in order: at most `maxCount`, and at most `maxBytes`
    /// but at least one. `subject` limits them to a subject, which may have wildcards.
    ///
    /// The result is empty if there is no such message. Any replica may answer, and its copy may
    /// be old. The time limit is for the whole part. Throws `.noResponders` if the stream does not
    /// exist or does not allow direct reads, and the errors of a request. One round trip.
    public func messages(
        in stream: String, from sequence: UInt64, maxCount: Int = 256, maxBytes: Int = 8 << 20,
        on subject: String? = nil, timeout: Duration? = nil
    ) async throws(NATSError) -> StoredMessages {
        if let subject { try NATSSubject.checkSubscribe(subject) }
        try ReadLimits.check(count: maxCount, sizeBytes: maxBytes)
        let request = DirectGet(
            seq: max(sequence, 1), next_by_subj: subject ?? ">", batch: maxCount,
            max_bytes: maxBytes)
        return try await directMany(
            stream, request, maxCount: maxCount, maxBytes: maxBytes, timeout)
    }

    private func directMany(
        _ stream: String, _ request: DirectGet, maxCount: Int, maxBytes: Int, _ timeout: Duration?
    ) async throws(NATSError) -> StoredMessages {
        try NATSSubject.checkName(stream, of: "stream")
        let name = prefix + "DIRECT.GET.\(stream)"
        let sizeBytesMax = ReadLimits.bufferSizeBytesMax(count: maxCount, sizeBytes: maxBytes)
        return try await connection.requestMany(
            try Self.json(request), to: name, bufferSizeBytesMax: sizeBytesMax,
            timeout: timeout ?? connection.options.requestTimeout
        ) { buffer throws(NATSError) in
            try await Self.collect(maxCount, sizeBytesMax: sizeBytesMax, buffer, from: name)
        }
    }

    /// Reads messages until the one with the status 204.
    static func collect(
        _ maxCount: Int, sizeBytesMax: Int, _ buffer: MessageBuffer, from subject: String
    ) async throws(NATSError) -> StoredMessages {
        var part = StoredMessages(messages: [], pendingCount: 0)
        var sizeBytes = 0
        while let message = try await buffer.next() {
            try ReadLimits.add(message, to: &sizeBytes, sizeBytesMax: sizeBytesMax)
            if StoredMessage.isDirect(message) {
                guard part.messages.count < maxCount else {
                    throw .malformed("The server sent more messages than \(subject) asked for.")
                }
                part.messages.append(try StoredMessage(direct: message))
                continue
            }
            switch message.headers.status {
            case 204:
                let pending = message.headers["Nats-Num-Pending"].flatMap { UInt64($0) }
                part.pendingCount = pending ?? 0
                return part
            case 404: return part
            case let status: throw refusal(status, message.headers, subject)
            }
        }
        throw .closedByCaller
    }

    private func direct(
        _ stream: String, _ request: DirectGet?, on subject: String? = nil
    ) async throws(NATSError) -> StoredMessage? {
        try NATSSubject.checkName(stream, of: "stream")
        let name = prefix + "DIRECT.GET.\(stream)" + (subject.map { "." + $0 } ?? "")
        let body = try request.map { request throws(NATSError) in try Self.json(request) }
        let reply = try await connection.request(body ?? ByteBuffer(), to: name)
        let message = NATSInboundMessage(
            subscriptionId: 0, subject: reply.subject, replyTo: nil, headers: reply.headers,
            payload: reply.payload)
        if StoredMessage.isDirect(message) { return try StoredMessage(direct: message) }
        if reply.headers.status == 404 { return nil }
        throw Self.refusal(reply.headers.status, reply.headers, name)
    }

    /// The error of a status that no other rule explains.
    static func refusal(_ status: Int?, _ headers: NATSHeaders, _ subject: String) -> NATSError {
        NATSError(
            .refused,
            "The server refused \(subject) with the status \(status ?? 0)"
                + " \(headers.statusText ?? ""). Check the request against the server's limits.")
    }

    /// The request, with the names of the protocol.
    private struct DirectGet: Encodable {
        var seq: UInt64?
        var last_by_subj: String?
        var next_by_subj: String?
        var batch: Int?
        var max_bytes: Int?
        var multi_last: [String]?
        var up_to_seq: UInt64?
    }
}
