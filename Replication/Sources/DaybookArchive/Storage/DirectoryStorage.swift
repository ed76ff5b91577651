import Daybook
import Foundation

/// A directory as an object storage, for example on a disk of another machine.
///
/// Each object is a file. `archive.json` must be the first one, so that a directory whose disk is
/// not mounted is not taken for an empty archive. The file system must support hard links, with
/// which an object appears at once and never replaces another one. Two machines may use the
/// directory if the file system guarantees that for both, as NFS does.
public struct DirectoryStorage: ObjectStorage {
    /// The path of the directory.
    public let path: String

    /// The location for messages.
    public var name: String { "file://" + path }

    private static let temporaryPrefix = ".new-"

    /// Creates a storage; the directory is created with the first object.
    public init(path: String) {
        self.path = path.hasSuffix("/") && path != "/" ? String(path.dropLast()) : path
    }

    /// Reads an object or a part of it.
    public func read(_ key: String, _ range: Range<Int>?) async throws -> [UInt8]? {
        let url = url(key)
        do {
            return try await FileOperations.run(url.path(percentEncoded: false)) {
                let file = try FileHandle(forReadingFrom: url)
                defer { try? file.close() }
                guard let range else { return Array(try file.readToEnd() ?? Data()) }
                try file.seek(toOffset: UInt64(range.lowerBound))
                return Array(try file.read(upToCount: range.count) ?? Data())
            }
        } catch let error as DaybookError where error.code == .fileNotFound {
            return nil
        }
    }

    /// Creates an object.
    public func create(_ key: String, _ bytes: [UInt8]) async throws -> Bool {
        try await create(key) { try Data(bytes).write(to: $0) }
    }

    /// Creates an object with the content of a file.
    public func create(_ key: String, fromFile path: String) async throws -> Bool {
        try await create(key) { try FileManager.default.copyItem(at: URL(filePath: path), to: $0) }
    }

    /// Writes a file under a temporary name, makes it durable, and links it to its name, which
    /// fails if the name exists.
    private func create(
        _ key: String, _ write: @escaping @Sendable (URL) throws -> Void
    ) async throws -> Bool {
        let description = path + "/" + ArchiveKey.description
        guard key == ArchiveKey.description || FileManager.default.fileExists(atPath: description)
        else {
            throw DaybookError(
                .storageUnavailable,
                "\(path) contains no archive now. Check that its disk is mounted.",
                details: ["archive": name])
        }
        let target = url(key)
        let directory = target.deletingLastPathComponent()
        let temporary = directory.appending(path: Self.temporaryPrefix + UUID().uuidString)
        return try await FileOperations.run(target.path(percentEncoded: false)) {
            try createDirectory(directory)
            defer { try? FileManager.default.removeItem(at: temporary) }
            try write(temporary)
            try FileOperations.sync(temporary)
            do {
                try FileManager.default.linkItem(at: temporary, to: target)
            } catch let error as CocoaError where error.code == .fileWriteFileExists {
                return false
            }
            try FileOperations.sync(directory)
            return true
        }
    }

    /// Creates a directory and its parents, durably.
    private func createDirectory(_ url: URL) throws {
        guard !FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) else {
            return
        }
        let parent = url.deletingLastPathComponent()
        try createDirectory(parent)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try FileOperations.sync(parent)
    }

    /// Lists objects.
    public func list(
        prefix: String, after key: String?, countMax: Int
    ) async throws -> [ObjectEntry] {
        let folder = prefix.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
        return try await FileOperations.run(path) {
            let names: [String]
            do {
                names = try FileManager.default.subpathsOfDirectory(atPath: path + "/" + folder)
            } catch let error as CocoaError where error.isMissing {
                return []
            }
            let keys = names.map { folder.isEmpty ? $0 : folder + "/" + $0 }
                .filter { $0.hasPrefix(prefix) && (key.map($0.follows) ?? true) }
                .sorted { $1.follows($0) }
            return Array(keys.lazy.compactMap(entry).prefix(max(0, countMax)))
        }
    }

    /// Returns the entry of an object; nil for a directory, a temporary or a removed file.
    private func entry(_ key: String) -> ObjectEntry? {
        let name = key.split(separator: "/").last ?? ""
        guard !name.hasPrefix(Self.temporaryPrefix),
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + key),
            attributes[.type] as? FileAttributeType == .typeRegular,
            let size = attributes[.size] as? Int
        else { return nil }
        return ObjectEntry(key: key, sizeBytes: size)
    }

    /// Removes an object.
    public func remove(_ key: String) async throws {
        let url = url(key)
        do {
            try await FileOperations.run(url.path(percentEncoded: false)) {
                try FileManager.default.removeItem(at: url)
            }
        } catch let error as DaybookError where error.code == .fileNotFound {
            // It was removed before.
        }
    }

    private func url(_ key: String) -> URL { URL(filePath: path + "/" + key) }
}

extension String {
    /// Whether the bytes of the string follow those of another one.
    fileprivate func follows(_ other: String) -> Bool {
        other.utf8.lexicographicallyPrecedes(utf8)
    }
}

extension CocoaError {
    /// Whether a file does not exist.
    fileprivate var isMissing: Bool { code == .fileNoSuchFile || code == .fileReadNoSuchFile }
}
