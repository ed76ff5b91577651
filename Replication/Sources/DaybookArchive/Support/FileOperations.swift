import Crypto
import Daybook
import Foundation
import ReplicationSupport

/// Operations on local files, with the errors of Daybook.
enum FileOperations {
    /// Runs calls of Foundation on a thread that may block. `path` is for messages.
    static func run<Value: Sendable>(
        _ path: String, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await Blocking.run { try translated(path, body) }
    }

    /// Translates the errors of Foundation.
    static func translated<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as CocoaError {
            throw DaybookError.file(path, error)
        }
    }

    /// Throws `.fileExists` if there is a file or directory.
    static func requireMissing(_ path: String) throws(DaybookError) {
        guard !FileManager.default.fileExists(atPath: path) else {
            throw DaybookError(
                .fileExists, "\(path) exists. Use the path of a new directory.",
                details: ["path": path])
        }
    }

    /// Whether a directory is missing or empty.
    static func isEmpty(_ path: String) async throws -> Bool {
        try await run(path) {
            guard FileManager.default.fileExists(atPath: path) else { return true }
            return try FileManager.default.contentsOfDirectory(atPath: path).isEmpty
        }
    }

    /// Moves a directory to the place of a missing or empty one.
    static func move(_ path: String, to target: String) async throws {
        try await run(target) {
            let url = URL(filePath: target, directoryHint: .isDirectory).standardizedFileURL
            if FileManager.default.fileExists(atPath: target) {
                // Another process may have filled it meanwhile.
                guard try FileManager.default.contentsOfDirectory(atPath: target).isEmpty else {
                    throw DaybookError.notEmpty(target)
                }
                try FileManager.default.removeItem(at: url)
            }
            try FileManager.default.moveItem(
                at: URL(filePath: path, directoryHint: .isDirectory), to: url)
            try sync(url.deletingLastPathComponent())
        }
    }

    /// Removes a directory with its files, if it exists.
    static func removeTree(_ path: String) async {
        try? await Blocking.run { try FileManager.default.removeItem(atPath: path) }
    }

    /// Makes a file, or the names in a directory, durable.
    static func sync(_ url: URL) throws {
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        try file.synchronize()
    }

    /// The paths of the files in a backup, with CURRENT as the last one.
    static func files(in directory: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: directory)
            .filter { path in
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: directory + "/" + path)
                return attributes[.type] as? FileAttributeType == .typeRegular && path != "LOCK"
            }
            .sorted { ($0 == "CURRENT" ? 1 : 0, $0) < ($1 == "CURRENT" ? 1 : 0, $1) }
    }

    /// Describes a file of a base. Reads it once.
    static func describe(_ path: String, at location: String) throws -> ArchiveBase.File {
        let file = try FileHandle(forReadingFrom: URL(filePath: location))
        defer { try? file.close() }
        var hash = SHA256()
        var sizeBytes = 0
        while let part = try file.read(upToCount: 1 << 20), !part.isEmpty {
            hash.update(data: part)
            sizeBytes += part.count
        }
        return ArchiveBase.File(
            path: path, sizeBytes: sizeBytes, hash: ArchiveHash(hash.finalize()).text)
    }
}

extension DaybookError {
    static func notEmpty(_ path: String) -> DaybookError {
        DaybookError(
            .fileExists,
            "\(path) contains files. Use an empty directory, or one that does not exist.",
            details: ["path": path])
    }

    /// An error of a local file.
    static func file(_ path: String, _ error: CocoaError) -> DaybookError {
        let (code, remedy): (DaybookError.Code, String) =
            switch error.code {
            case .fileWriteOutOfSpace: (.outOfSpace, "Free some space, and try again.")
            case .fileReadNoPermission, .fileWriteNoPermission:
                (.permissionDenied, "Check the permissions.")
            case .fileNoSuchFile, .fileReadNoSuchFile: (.fileNotFound, "Check the path.")
            default: (.inputOutput, "Check the path and the disk.")
            }
        return DaybookError(
            code, "The operation on \(path) failed: \(error.localizedDescription). \(remedy)",
            cause: error, details: ["path": path])
    }
}
