import Foundation
import SystemPackage

/// A file with the token, which only the user of the command can read.
struct TokenFile {
    let path: String

    /// Writes the token. Throws a ``Failure`` if the file exists already, because other users might
    /// be able to read it.
    func write(_ token: String) throws {
        do {
            let file = try FileDescriptor.open(
                FilePath(path), .writeOnly, options: [.create, .exclusiveCreate],
                permissions: .ownerReadWrite)
            try file.closeAfter { _ = try file.writeAll(token.utf8) }
        } catch {
            throw Failure(path: path, cause: error)
        }
    }

    /// Removes the file.
    func remove() { try? FileManager.default.removeItem(atPath: path) }

    /// The file cannot be created.
    struct Failure: Error, CustomStringConvertible {
        var path: String
        var cause: any Error

        var description: String {
            "The file '\(path)' for the token cannot be created: \(cause). Give the path of a new"
                + " file."
        }
    }
}
