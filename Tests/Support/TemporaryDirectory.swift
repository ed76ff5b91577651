public import Foundation

/// A directory on the real disk that is removed with this object. Tests create it themselves.
public final class TemporaryDirectory: Sendable {
    /// The path, without a trailing slash.
    public let path: String

    /// Chooses an unused path.
    public init() {
        path = FileManager.default.temporaryDirectory.path + "/daybook-" + UUID().uuidString
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path as a URL.
    public var url: URL { URL(fileURLWithPath: path) }

    /// The names in the directory, sorted.
    public var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// Creates the directory with one file in it.
    public func place(_ name: String, _ text: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url.appendingPathComponent(name))
    }
}
