#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The object that makes a place an archive.
struct ArchiveDescription: Codable, Equatable {
    /// The format of all objects.
    var version = 1
    /// The identity of the store.
    var store: String
}

/// The description of a base: the files of a whole store.
struct ArchiveBase: Codable, Equatable, Sendable {
    /// A file of a base.
    struct File: Codable, Equatable, Sendable {
        /// The path in the directory of the store.
        var path: String
        var sizeBytes: Int
        /// The SHA-256 of the content, in hexadecimal digits.
        var hash: String
    }

    var version = 1
    /// The identity of the store.
    var store: String
    /// The last sequence in the files.
    var sequence: UInt64
    /// The time of that commit, or of a later one, in microseconds since 1970.
    var timeMicroseconds: UInt64
    /// The place in the replicated log after the last sequence; empty if it is unknown.
    var place: [UInt8]
    /// The files. The one that makes the directory a store is the last.
    var files: [File]

    /// Whether each path is a name, or a name in a directory, and can be created in any directory
    /// without leaving it.
    var hasValidPaths: Bool {
        files.allSatisfy { file in
            let names = file.path.split(separator: "/", omittingEmptySubsequences: false)
            return (1...2).contains(names.count) && file.sizeBytes >= 0
                && names.allSatisfy { name in
                    name != "." && name != ".." && !name.isEmpty && !name.utf8.contains(0)
                }
        }
    }
}

/// The JSON of descriptions.
enum ArchiveDocument {
    static func encode(_ document: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(document))
    }

    /// Decodes a description. Returns nil for other bytes.
    static func decode<Document: Decodable>(_: Document.Type, _ bytes: [UInt8]) -> Document? {
        try? JSONDecoder().decode(Document.self, from: Data(bytes))
    }

    /// The version in a description of any release; nil for other bytes.
    static func version(_ bytes: [UInt8]) -> Int? {
        struct Versioned: Decodable { var version: Int }
        return decode(Versioned.self, bytes)?.version
    }
}
