/// The error type of all modules: what failed, and how to fix it.
///
/// Match on ``code`` and show ``message`` to people. ``cause`` is the underlying error, if there is
/// one. ``details`` has the names and numbers as data (`"path"`, `"segment"`, `"offset"`,
/// `"entity"`, `"property"`, …).
public struct DaybookError: Error, Sendable {
    // A single reference, so that a typed throw needs one register.
    private final class Storage: Sendable {
        let code: Code
        let message: String
        let cause: (any Error)?
        let details: [String: String]

        init(code: Code, message: String, cause: (any Error)?, details: [String: String]) {
            self.code = code
            self.message = message
            self.cause = cause
            self.details = details
        }
    }

    private let storage: Storage

    /// Creates an error. `message` describes the failure and the remedy.
    public init(
        _ code: Code, _ message: String, cause: (any Error)? = nil, details: [String: String] = [:]
    ) {
        storage = Storage(code: code, message: message, cause: cause, details: details)
    }

    /// The kind of failure; stable across releases.
    public var code: Code { storage.code }
    /// A description of the failure and the remedy, for people.
    public var message: String { storage.message }
    /// The underlying error.
    public var cause: (any Error)? { storage.cause }
    /// The names and numbers of ``message`` as data.
    public var details: [String: String] { storage.details }
}

extension DaybookError: CustomStringConvertible {
    /// The code, the message and, on further lines, the cause.
    public var description: String {
        var text = "\(code.rawValue): \(message)"
        if let cause { text += "\n  because \(cause)" }
        return text
    }
}
