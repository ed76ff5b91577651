public import Daybook

/// The address of a service, parsed from `http://host:port` or `https://host:port`.
public struct S3Endpoint: Sendable, Hashable {
    /// The host name or IP address; an IPv6 address has its brackets.
    public let host: String
    /// The TCP port; nil for that of the scheme.
    public let port: Int?
    /// Whether the scheme is `https`.
    public let isSecure: Bool

    /// Parses a URL. Throws `.invalidArgument` for another scheme, an invalid host or port, a path,
    /// and a user or password.
    public init(_ url: String) throws(DaybookError) {
        var rest = url[...]
        if rest.lowercased().hasPrefix("https://") {
            isSecure = true
        } else if rest.lowercased().hasPrefix("http://") {
            isSecure = false
        } else {
            throw Self.invalid("has neither the scheme http nor https")
        }
        rest = rest.dropFirst(isSecure ? 8 : 7)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        if rest.contains("@") { throw Self.invalid("contains a user") }
        if rest.contains("/") { throw Self.invalid("has a path") }
        let hostEnd =
            if rest.hasPrefix("[") {
                rest.firstIndex(of: "]").map { rest.index(after: $0) }
            } else {
                rest.firstIndex(of: ":") ?? rest.endIndex
            }
        guard let hostEnd, Self.isHost(rest[..<hostEnd]) else {
            throw Self.invalid("has no valid host")
        }
        host = rest[..<hostEnd].lowercased()
        guard hostEnd < rest.endIndex else {
            port = nil
            return
        }
        let digits = rest[hostEnd...].dropFirst()
        guard rest[hostEnd] == ":", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(digits), (1...65535).contains(number)
        else { throw Self.invalid("has no valid port") }
        port = number == (isSecure ? 443 : 80) ? nil : number
    }

    /// Creates the endpoint of Amazon S3 in a region, whose name must be valid.
    init(region: String) {
        host = "s3.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "")
        port = nil
        isSecure = true
    }

    /// Whether the host belongs to Amazon, where each bucket has its own host.
    var isAmazon: Bool { host.hasSuffix(".amazonaws.com") || host.hasSuffix(".amazonaws.com.cn") }

    /// Returns whether a text has the characters of a host name or an address.
    private static func isHost(_ text: Substring) -> Bool {
        var name = text
        var allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._".utf8)
        if text.hasPrefix("[") {
            name = text.dropFirst().dropLast()
            allowed = Set("abcdefABCDEF0123456789:.".utf8)
        }
        return !name.isEmpty && name.utf8.count <= 253 && name.utf8.allSatisfy(allowed.contains)
    }

    /// The message does not contain the text, which may have a password.
    private static func invalid(_ problem: String) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "The endpoint of the storage \(problem). Use http://host:port or https://host:port.")
    }
}

extension S3Endpoint: CustomStringConvertible {
    /// The URL.
    public var description: String { "\(isSecure ? "https" : "http")://\(authority)" }

    /// The host, and the port unless it is that of the scheme.
    var authority: String { port.map { "\(host):\($0)" } ?? host }
}
