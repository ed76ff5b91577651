/// The address of a server, parsed from `nats://host:port` or `tls://host:port`.
public struct NATSAddress: Sendable, Hashable {
    /// The port of a server unless its configuration has another.
    public static let defaultPort = 4222

    /// The host name or IP address, without brackets.
    public var host: String
    /// The TCP port.
    public var port: Int
    /// Whether the scheme is `tls`, so that the client refuses a server without TLS.
    public var requiresTLS: Bool

    /// Creates an address from its parts.
    public init(host: String, port: Int = defaultPort, requiresTLS: Bool = false) {
        self.host = host
        self.port = port
        self.requiresTLS = requiresTLS
    }

    /// Parses a URL. Without a scheme, `nats` is assumed; without a port, 4222.
    ///
    /// Throws `.invalidArgument` for another scheme, an empty host, a port outside 1 to 65535, a
    /// path, and a user or password. Secrets belong in ``NATSOptions/authentication``, because
    /// addresses appear in logs.
    public init(_ url: String) throws(NATSError) {
        var rest = url[...]
        var requiresTLS = false
        if let scheme = url.range(of: "://") {
            switch url[..<scheme.lowerBound].lowercased() {
            case "nats": break
            case "tls": requiresTLS = true
            default: throw Self.invalid("has an unknown scheme")
            }
            rest = url[scheme.upperBound...]
        }
        if rest.contains("@") { throw Self.invalid("contains a user") }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        let (host, port) = try Self.split(rest)
        let isPlain = host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/?#[]".utf8.contains($0) }
        guard !host.isEmpty, isPlain else { throw Self.invalid("has no valid host") }
        self.init(host: String(host), port: port, requiresTLS: requiresTLS)
    }

    /// Splits `host:port` or `[address]:port`.
    private static func split(_ text: Substring) throws(NATSError) -> (Substring, Int) {
        var host = text
        var port: Substring?
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else {
                throw invalid("has a bracket without its pair")
            }
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { throw invalid("has no valid port") }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if let colon = text.firstIndex(of: ":") {
            host = text[..<colon]
            port = text[text.index(after: colon)...]
        }
        guard let port else { return (host, defaultPort) }
        guard let number = ControlLine.number(port.utf8), (1...65535).contains(number) else {
            throw invalid("has no valid port")
        }
        return (host, number)
    }

    /// The message does not contain the text, which may have a password.
    private static func invalid(_ problem: String) -> NATSError {
        NATSError(
            .invalidArgument,
            "The address of a server \(problem). Use nats://host:port or tls://host:port, and the"
                + " options for authentication.")
    }
}

extension NATSAddress: CustomStringConvertible {
    /// The URL.
    public var description: String {
        "\(requiresTLS ? "tls" : "nats")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
