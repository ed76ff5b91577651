public import Daybook
public import Foundation

/// The keys of an account of the service. Descriptions and dumps show none of them.
public struct S3Credentials: Sendable {
    /// The name of the key. The service sees it with each request.
    public var accessKey: String
    /// The secret that signs requests. It never leaves the process.
    public var secretKey: String
    /// The token of temporary credentials; nil for permanent ones.
    public var sessionToken: String?

    /// Creates credentials.
    public init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
    }

    /// Returns the credentials of the variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and,
    /// for temporary ones, `AWS_SESSION_TOKEN`.
    ///
    /// Throws `.invalidArgument` if one of the first two is missing or empty, and for spaces and
    /// control characters.
    public static func fromEnvironment(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(DaybookError) -> S3Credentials {
        let accessKey = try value("AWS_ACCESS_KEY_ID", environment)
        let secretKey = try value("AWS_SECRET_ACCESS_KEY", environment)
        let name = "AWS_SESSION_TOKEN"
        let token =
            environment[name]?.isEmpty == false ? try value(name, environment) : nil
        return S3Credentials(accessKey: accessKey, secretKey: secretKey, sessionToken: token)
    }

    /// Whether the key and the token have no spaces and control characters, so that they can be
    /// part of a header.
    var isPlain: Bool { Self.isPlain(accessKey) && Self.isPlain(sessionToken ?? "") }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    /// Returns the value of a variable. Throws `.invalidArgument` if there is none, or if it has
    /// spaces or control characters.
    private static func value(
        _ name: String, _ environment: [String: String]
    ) throws(DaybookError) -> String {
        guard let value = environment[name], !value.isEmpty else {
            throw DaybookError(
                .invalidArgument,
                "The environment variable \(name) is not set. Set AWS_ACCESS_KEY_ID and"
                    + " AWS_SECRET_ACCESS_KEY to the credentials of the storage.",
                details: ["variable": name])
        }
        guard isPlain(value) else {
            throw DaybookError(
                .invalidArgument,
                "The environment variable \(name) has a space or a control character, for example"
                    + " a line feed at its end. Set it to the value only.",
                details: ["variable": name])
        }
        return value
    }
}

extension S3Credentials: CustomStringConvertible, CustomDebugStringConvertible {
    /// A fixed text without any key.
    public var description: String { "S3Credentials(hidden)" }

    /// A fixed text without any key.
    public var debugDescription: String { description }
}

extension S3Credentials: CustomReflectable {
    /// A mirror without children, so that `dump` shows no key.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
