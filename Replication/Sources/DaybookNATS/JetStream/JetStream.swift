internal import Foundation
internal import NIOCore

/// The streams of a NATS server: logs that the server stores, numbers and replicates.
///
/// Rules for a log with several possible writers:
/// - Send one message at a time, or one atomic batch. With several in flight, an expected sequence
///   may match the message of another writer.
/// - A refusal is no proof. While two servers believe that they lead, one may refuse a message that
///   the other one stores. After any error read the stream at the expected sequence plus one: it
///   has this message, another one, or none yet.
/// - Reads may be old. A server that lost its leadership answers from its own copy, so a reader
///   never moves back, and only an accepted append proves the last sequence.
///
/// `Nats-Expected-Last-Msg-Id` is not available: servers 2.14.0 to 2.15.1 stop a replicated stream
/// permanently after one mismatch.
public struct JetStream: Sendable {
    /// The connection.
    public let connection: NATSConnection
    /// The domain; nil for that of the connected server.
    public let domain: String?

    let prefix: String

    /// Creates a client. Throws `.invalidArgument` for a domain that is not one token. Sends
    /// nothing.
    public init(_ connection: NATSConnection, domain: String? = nil) throws(NATSError) {
        if let domain { try NATSSubject.checkName(domain, of: "domain") }
        self.connection = connection
        self.domain = domain
        prefix = domain.map { "$JS.\($0).API." } ?? "$JS.API."
    }

    /// Sends a request with a JSON document and returns the answer of a type.
    func call<Body: Encodable, Value: Decodable>(
        _ operation: String, _ body: Body, timeout: Duration? = nil
    ) async throws(NATSError) -> Value {
        let subject = prefix + operation
        let reply = try await connection.request(
            try Self.json(body), to: subject, timeout: timeout)
        return try Self.decode(reply.payload, from: subject)
    }

    /// Returns a JSON document.
    static func json(_ body: some Encodable) throws(NATSError) -> ByteBuffer {
        do {
            return ByteBuffer(bytes: try JSONEncoder().encode(body))
        } catch {
            throw NATSError(
                .invalidArgument, "The request cannot be encoded as JSON. Check its texts.",
                cause: error)
        }
    }

    /// Reads a JSON document. Throws the error in the document, or `.malformedInput`.
    static func decode<Value: Decodable>(
        _ payload: ByteBuffer, from subject: String
    ) throws(NATSError) -> Value {
        let data = Data(payload.readableBytesView)
        let decoder = JSONDecoder()
        do {
            if let failure = try decoder.decode(FailureDocument.self, from: data).error {
                throw NATSError.jetStream(failure, subject: subject)
            }
            return try decoder.decode(Value.self, from: data)
        } catch {
            if let error = error as? NATSError { throw error }
            throw NATSError(
                .malformedInput,
                "The answer to \(subject) is not a JSON document of the expected form. Check the"
                    + " version of the server and whether a program answers in its place.",
                cause: error)
        }
    }

    private struct FailureDocument: Decodable {
        var error: JetStreamFailure?
    }
}
