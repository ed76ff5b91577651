/// What went wrong, in words that say how to mend it.
///
/// One error type serves every layer. Match on ``code``; show ``message`` to people; ``cause``
/// holds the lower error, where there is one, and ``details`` the names and numbers as data
/// (`"path"`, `"segment"`, `"offset"`, `"entity"`, `"property"`, …).
public struct DaybookError: Error, Sendable {
    // One reference wide, so that a typed throw costs a register.
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

    /// Makes an error; `message` says what happened and what to do about it.
    public init(
        _ code: Code, _ message: String, cause: (any Error)? = nil, details: [String: String] = [:]
    ) {
        storage = Storage(code: code, message: message, cause: cause, details: details)
    }

    /// The kind of failure, stable across releases.
    public var code: Code { storage.code }
    /// What happened and how it may be remedied, for a person.
    public var message: String { storage.message }
    /// The lower error that led to this one.
    public var cause: (any Error)? { storage.cause }
    /// The names and numbers of ``message`` as data.
    public var details: [String: String] { storage.details }
}

extension DaybookError: CustomStringConvertible {
    /// The code, the message and, on further lines, what caused it.
    public var description: String {
        var text = "\(code.rawValue): \(message)"
        if let cause { text += "\n  because \(cause)" }
        return text
    }
}
