import Hummingbird

/// The proof that a request comes from the page that the user opened: a random token, which the
/// command prints once, and a random cookie, which the server sets for the token.
///
/// The token is sent in the body of a request only. It is therefore in no log, no history and no
/// referrer.
struct Session: Sendable {
    let token = Self.random()
    private let secret = Self.random()

    /// 128 random bits as hexadecimal digits.
    private static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(generator.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// The cookie for a token; nil for another token.
    func cookie(for token: String, port: Int) -> Cookie? {
        guard Self.areEqual(token, self.token) else { return nil }
        // Cookies do not distinguish ports, so that two servers need two names.
        return Cookie(
            name: Self.name(port), value: secret, path: "/", httpOnly: true, sameSite: .strict)
    }

    /// Whether a request has the cookie.
    func contains(_ request: Request, port: Int) -> Bool {
        guard let cookie = request.cookies[Self.name(port)] else { return false }
        return Self.areEqual(cookie.value, secret)
    }

    private static func name(_ port: Int) -> String { "daybook-\(port)" }

    /// Compares in a time that does not depend on the place of the first difference.
    private static func areEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
