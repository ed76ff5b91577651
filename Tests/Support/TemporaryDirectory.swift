public import Foundation

/// A directory on the real disk that goes away with this object; it is not made before a test does.
public final class TemporaryDirectory: Sendable {
    /// Its path, without a slash at the end.
    public let path: String

    /// Chooses a path that nothing stands at.
    public init() {
        path = FileManager.default.temporaryDirectory.path + "/daybook-" + UUID().uuidString
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The same as a URL.
    public var url: URL { URL(fileURLWithPath: path) }

    /// The names in it, sorted.
    public var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// Makes it, with one file in it.
    public func place(_ name: String, _ text: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url.appendingPathComponent(name))
    }
}
