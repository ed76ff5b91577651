import Foundation

/// A directory that exists during a test.
package struct TestDirectory: Sendable {
    package let path: String

    /// Names a directory that the caller creates and removes.
    package init(path: String) { self.path = path }

    /// Creates a directory, gives it to `body`, and removes it.
    package static func with<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: (TestDirectory) async throws -> Value
    ) async throws -> Value {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("daybook-replication-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await body(TestDirectory(path: path))
    }

    /// Returns the path of a file in the directory.
    package func file(_ name: String) -> String { path + "/" + name }

    /// Writes a file and returns its path.
    package func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }
}
