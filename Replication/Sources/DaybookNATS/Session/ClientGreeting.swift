internal import Foundation

/// The JSON document of CONNECT, with the names of the protocol.
struct ClientGreeting: Encodable {
    var verbose = false
    var pedantic = false
    var headers = true
    var no_responders = true
    var echo = true
    var lang = "swift"
    var version = "1"
    var `protocol` = 1
    var tls_required: Bool
    var name: String
    var auth_token: String?
    var user: String?
    var pass: String?
    var nkey: String?
    var sig: String?

    /// Creates the document with the proof of identity. Throws `.invalidArgument` for a seed that
    /// is not one, and `.authenticationFailed` if the server sent no text to sign.
    init(
        _ options: NATSOptions, for info: NATSServerInfo, isEncrypted: Bool
    ) throws(NATSError) {
        name = options.name
        tls_required = isEncrypted
        switch options.authentication {
        case .none: break
        case .token(let token): auth_token = token
        case .userAndPassword(let name, let password):
            user = name
            pass = password
        case .nkey(let seed):
            let key = try NKey(seed: seed)
            guard let nonce = info.nonce else {
                throw NATSError(
                    .authenticationFailed,
                    "The server \(info.name) sent no text to sign, so it has no nkeys. Configure"
                        + " the public key \(key.publicKey) as a user.")
            }
            nkey = key.publicKey
            sig = try key.signature(of: nonce)
        }
    }

    /// The document on one line. Throws `.invalidArgument` for text that JSON cannot contain.
    func json() throws(NATSError) -> String {
        do {
            return String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        } catch {
            throw NATSError(
                .invalidArgument, "The options cannot be encoded as JSON. Check name and user.",
                cause: error)
        }
    }
}
