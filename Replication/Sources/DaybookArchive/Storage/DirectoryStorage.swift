import Daybook
import Foundation

/// A directory as an object storage, for example on a disk of another machine.
///
/// Each object is a file. The file system must support hard links, with which an object appears at
/// once and never replaces another one. Two machines may use the directory if the file system
/// guarantees that for both, as NFS does.
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
        let file: FileHandle
        do {
            file = try FileHandle(forReadingFrom: url(key))
        } catch let error as CocoaError where error.isMissing {
            return nil
        } catch {
            throw failure(key, error)
        }
        defer { try? file.close() }
        do {
            guard let range else { return Array(try file.readToEnd() ?? Data()) }
            try file.seek(toOffset: UInt64(range.lowerBound))
            return Array(try file.read(upToCount: range.count) ?? Data())
        } catch {
            throw failure(key, error)
        }
    }

    /// Creates an object.
    public func create(_ key: String, _ bytes: [UInt8]) async throws -> Bool {
        try create(key) { try Data(bytes).write(to: $0) }
    }

    /// Creates an object with the content of a file.
    public func create(_ key: String, fromFile path: String) async throws -> Bool {
        try create(key) { try FileManager.default.copyItem(at: URL(filePath: path), to: $0) }
    }

    /// Writes a file under a temporary name, makes it durable, and links it to its name, which
    /// fails if the name exists.
    private func create(_ key: String, _ write: (URL) throws -> Void) throws -> Bool {
        let target = url(key)
        let directory = target.deletingLastPathComponent()
        let temporary = directory.appending(path: Self.temporaryPrefix + UUID().uuidString)
        do {
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: temporary) }
            try write(temporary)
            try Self.sync(temporary)
            try FileManager.default.linkItem(at: temporary, to: target)
            try Self.sync(directory)
            return true
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            return false
        } catch {
            throw failure(key, error)
        }
    }

    private static func sync(_ url: URL) throws {
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        try file.synchronize()
    }

    /// Lists objects.
    public func list(
        prefix: String, after key: String?, countMax: Int
    ) async throws -> [ObjectEntry] {
        let folder = prefix.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/")
        let names: [String]
        do {
            names = try FileManager.default.subpathsOfDirectory(atPath: path + "/" + folder)
        } catch let error as CocoaError where error.isMissing {
            return []
        } catch {
            throw failure(prefix, error)
        }
        let keys = names.map { folder.isEmpty ? $0 : folder + "/" + $0 }
            .filter { $0.hasPrefix(prefix) && (key.map($0.follows) ?? true) }
            .sorted { $1.follows($0) }
        return Array(keys.lazy.compactMap(entry).prefix(countMax))
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
        do {
            try FileManager.default.removeItem(at: url(key))
        } catch let error as CocoaError where error.isMissing {
        } catch {
            throw failure(key, error)
        }
    }

    private func url(_ key: String) -> URL { URL(filePath: path + "/" + key) }

    private func failure(_ key: String, _ error: any Error) -> DaybookError {
        let code: DaybookError.Code =
            switch (error as? CocoaError)?.code {
            case .fileWriteOutOfSpace?: .outOfSpace
            case .fileReadNoPermission?, .fileWriteNoPermission?: .permissionDenied
            default: .storageUnavailable
            }
        return DaybookError(
            code,
            "The object \(key) in \(name) cannot be accessed: \(error.localizedDescription)."
                + " Check the directory.",
            cause: error, details: ["key": key, "archive": name])
    }
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
