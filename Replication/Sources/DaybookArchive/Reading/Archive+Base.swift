import Crypto
import Daybook
import DaybookReplica
import Foundation
import ReplicationSupport

extension Archive {
    private static let readSizeBytes = 8 << 20

    /// Reads a file of a base in parts, and checks its hash. Throws `.corruption`.
    func read(
        _ file: ArchiveBase.File, of base: String, _ body: ([UInt8]) throws -> Void
    ) async throws {
        let key = ArchiveKey.file(file.path, of: base)
        var hash = SHA256()
        var offset = 0
        while offset < file.sizeBytes {
            try Task.checkCancellation()
            let end = min(file.sizeBytes, offset + Self.readSizeBytes)
            guard let part = try await storage.read(key, offset..<end), !part.isEmpty else {
                throw DaybookError.damaged(key, in: name, "it is missing, or too short")
            }
            hash.update(data: part)
            try body(part)
            offset += part.count
        }
        guard ArchiveHash(hash.finalize()).text == file.hash else {
            throw DaybookError.damaged(key, in: name, "its hash is not that of the description")
        }
    }

    /// Copies the files of a base into a new directory, and checks them. The directory is complete
    /// or does not exist.
    func download(_ name: String, _ base: ArchiveBase, to path: String) async throws {
        let temporary = path + "-base-" + UUID().uuidString
        do {
            for file in base.files { try await download(file, of: name, to: temporary) }
            try await Blocking.run {
                try Replica.adoptBackup(directoryPath: temporary)
                // Replaces an empty directory.
                if FileManager.default.fileExists(atPath: path) {
                    try FileManager.default.removeItem(atPath: path)
                }
                try FileManager.default.moveItem(atPath: temporary, toPath: path)
            }
        } catch {
            try? FileManager.default.removeItem(atPath: temporary)
            throw error
        }
    }

    /// Copies a file, and makes it durable.
    private func download(
        _ file: ArchiveBase.File, of base: String, to directory: String
    ) async throws {
        let url = URL(filePath: directory + "/" + file.path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: url, options: .withoutOverwriting)
        let handle = try FileHandle(forWritingTo: url)
        defer { try? handle.close() }
        try await read(file, of: base) { try handle.write(contentsOf: $0) }
        try handle.synchronize()
    }
}
