import Daybook
import Foundation

/// A directory for the work of one call, beside the directory that the call is about.
///
/// A lock on a file beside it protects it from other calls and processes. Directories that a killed
/// process left are removed by the next call.
final class WorkDirectory: Sendable {
    /// The path. The directory does not exist before its user creates it.
    let path: String
    private let lock: FileHandle?

    /// Names a directory that the caller chose.
    init(path: String) {
        self.path = path
        lock = nil
    }

    /// Names a new directory. Throws the errors of the file system.
    init(beside target: String, _ purpose: String) throws {
        let url = URL(filePath: target, directoryHint: .isDirectory).standardizedFileURL
        let parent = url.deletingLastPathComponent()
        let prefix = ".\(url.lastPathComponent).daybook-\(purpose)-"
        (path, lock) = try FileOperations.translated(parent.path(percentEncoded: false)) {
            try FileManager.default.createDirectory(
                at: parent, withIntermediateDirectories: true)
            try Self.removeLeft(prefix, in: parent)
            while true {
                let name = prefix + UUID().uuidString
                let lockPath = Self.path(name + Self.lockSuffix, in: parent)
                if let lock = try Self.lock(lockPath, creates: true) {
                    return (Self.path(name, in: parent), lock)
                }
            }
        }
    }

    private static let lockSuffix = ".lock"

    private static func path(_ name: String, in parent: URL) -> String {
        parent.appending(path: name).path(percentEncoded: false)
    }

    /// Calls `body` with the path, and removes the directory afterwards.
    func use<Value: Sendable>(_ body: (String) async throws -> Value) async throws -> Value {
        do {
            let value = try await body(path)
            await remove()
            return value
        } catch {
            await remove()
            throw error
        }
    }

    private func remove() async {
        await FileOperations.removeTree(path)
        guard let lock else { return }
        await FileOperations.removeTree(path + Self.lockSuffix)
        try? lock.close()
    }

    /// Removes the directories that no process uses.
    private static func removeLeft(_ prefix: String, in parent: URL) throws {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: parent.path(percentEncoded: false))
        for name in names where name.hasPrefix(prefix) && name.hasSuffix(lockSuffix) {
            let lockPath = path(name, in: parent)
            guard let lock = try lock(lockPath, creates: false) else { continue }
            let directory = String(lockPath.dropLast(lockSuffix.count))
            if FileManager.default.fileExists(atPath: directory) {
                try FileManager.default.removeItem(atPath: directory)
            }
            try FileManager.default.removeItem(atPath: lockPath)
            try? lock.close()
        }
    }

    /// Opens and locks a file. Returns nil if another process has it, or has removed it.
    private static func lock(_ path: String, creates: Bool) throws -> FileHandle? {
        if creates, !FileManager.default.createFile(atPath: path, contents: nil) {
            throw CocoaError(.fileWriteUnknown)
        }
        guard let handle = FileHandle(forUpdatingAtPath: path) else { return nil }
        guard flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0,
            FileManager.default.fileExists(atPath: path)
        else {
            try? handle.close()
            return nil
        }
        return handle
    }
}
