import Crypto
import Daybook
import DaybookReplica
import Foundation
import ReplicationSupport

extension Archive {
    private static let readSizeBytes = 8 << 20

    /// Whether all files of a base are there, as the list of the storage says.
    func hasFiles(of name: String, _ base: ArchiveBase) async throws -> Bool {
        let entries = try await allEntries(ArchiveKey.files + name + "/")
        let sizes = Dictionary(
            entries.map { ($0.key, $0.sizeBytes) }, uniquingKeysWith: { $1 })
        return base.files.allSatisfy { sizes[ArchiveKey.file($0.path, of: name)] == $0.sizeBytes }
    }

    /// Reads a file of a base in parts, and checks its hash. Throws `.corruption`.
    func read(
        _ file: ArchiveBase.File, of base: String, _ body: ([UInt8]) async throws -> Void
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
            try await body(part)
            offset += part.count
        }
        guard ArchiveHash(hash.finalize()).text == file.hash else {
            throw DaybookError.damaged(key, in: name, "its hash is not that of the description")
        }
    }

    /// Copies the files of a base into a new directory, checks them, and makes it a replica.
    func download(_ name: String, _ base: ArchiveBase, to path: String) async throws {
        for file in base.files { try await download(file, of: name, to: path) }
        try await Blocking.run { try Replica.adoptBackup(directoryPath: path) }
    }

    /// Copies a file, and makes it durable.
    private func download(
        _ file: ArchiveBase.File, of base: String, to directory: String
    ) async throws {
        let path = directory + "/" + file.path
        let url = URL(filePath: path)
        let handle = try await FileOperations.run(path) {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: url, options: .withoutOverwriting)
            return try FileHandle(forWritingTo: url)
        }
        defer { try? handle.close() }
        try await read(file, of: base) { part in
            try await FileOperations.run(path) { try handle.write(contentsOf: part) }
        }
        try await FileOperations.run(path) {
            try handle.synchronize()
            try FileOperations.sync(url.deletingLastPathComponent())
        }
    }
}
