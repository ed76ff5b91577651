internal import Foundation

/// A server's description of itself.
public struct NATSServerInfo: Sendable, Equatable {
    /// The server's id, which changes when it restarts.
    public var id = ""
    /// The server's name; equal to the id unless the configuration has one.
    public var name = ""
    /// The version, such as `2.12.8`.
    public var version = ""
    /// The name of the cluster; nil for a single server.
    public var cluster: String?
    /// The domain of JetStream; nil without one.
    public var domain: String?
    /// The maximum length of a message with its headers.
    public var payloadSizeBytesMax = 1 << 20
    /// Whether the server understands headers.
    public var supportsHeaders = false
    /// Whether JetStream is enabled.
    public var hasJetStream = false
    /// Whether the server refuses connections without TLS.
    public var requiresTLS = false
    /// Whether the server accepts connections with TLS.
    public var offersTLS = false
    /// Whether the server requires authentication.
    public var requiresAuthentication = false

    /// The random text that a client signs with its key.
    var nonce: String?
}

extension NATSServerInfo {
    /// The fields of the JSON document, with the names of the protocol. Unknown fields are ignored.
    private struct Document: Decodable {
        var server_id: String?
        var server_name: String?
        var version: String?
        var cluster: String?
        var domain: String?
        var max_payload: Int?
        var headers: Bool?
        var jetstream: Bool?
        var tls_required: Bool?
        var tls_available: Bool?
        var auth_required: Bool?
        var nonce: String?
    }

    /// Reads the JSON document of an INFO line. Throws `.malformedInput`.
    init(parsing json: [UInt8]) throws(NATSError) {
        let document: Document
        do {
            document = try JSONDecoder().decode(Document.self, from: Data(json))
        } catch {
            throw NATSError(
                .malformedInput,
                "The server's INFO is not a JSON document of the expected form. Check that the"
                    + " address is the client port of a NATS server.", cause: error)
        }
        id = document.server_id ?? ""
        name = document.server_name ?? id
        version = document.version ?? ""
        cluster = document.cluster
        domain = document.domain
        payloadSizeBytesMax = document.max_payload ?? payloadSizeBytesMax
        supportsHeaders = document.headers ?? false
        hasJetStream = document.jetstream ?? false
        requiresTLS = document.tls_required ?? false
        offersTLS = requiresTLS || document.tls_available ?? false
        requiresAuthentication = document.auth_required ?? false
        nonce = document.nonce
    }
}
