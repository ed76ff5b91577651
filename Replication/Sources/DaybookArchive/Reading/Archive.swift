public import Daybook
import DaybookReplica

/// The archive of a store: a copy of its log, and from time to time of all its files, in an object
/// storage.
///
/// An ``Archiver`` adds to it. Any number of programs may archive the same store, for example a
/// writer and its followers: each part of the log is stored once. A restored store has an identity
/// of its own, and therefore needs another archive.
public struct Archive: Sendable {
    /// The place of the archive.
    public let storage: any ObjectStorage
    /// The identity of the store, a UUID.
    public let store: String

    /// The location for messages.
    var name: String { storage.name }

    private init(_ storage: any ObjectStorage, store: String) {
        self.storage = storage
        self.store = store
    }

    /// Opens an archive. Throws `.archiveNotFound`, `.corruption`, `.formatTooNew`, and the errors
    /// of the storage.
    public static func open(_ storage: any ObjectStorage) async throws -> Archive {
        guard let archive = try await find(storage) else {
            throw DaybookError.archiveNotFound(storage.name)
        }
        return archive
    }

    /// Opens the archive of a store, and creates it if there is none. Throws
    /// `.historyOfAnotherStore` if the place has the archive of another store, `.invalidArgument`
    /// for a storage that replaces objects, and the errors of ``open(_:)``.
    public static func open(_ storage: any ObjectStorage, of store: Store) async throws -> Archive {
        let identity = store.identity
        if let archive = try await find(storage) {
            return try archive.checked(for: identity)
        }
        let bytes = try ArchiveDocument.encode(ArchiveDescription(store: identity))
        _ = try await storage.create(ArchiveKey.description, bytes)
        guard try await !storage.create(ArchiveKey.description, bytes) else {
            throw DaybookError(
                .invalidArgument,
                "The storage \(storage.name) replaces existing objects. Use a service that supports"
                    + " conditional writes (If-None-Match).", details: ["archive": storage.name])
        }
        // Another program may have created it at the same time.
        return try await open(storage).checked(for: identity)
    }

    private static func find(_ storage: any ObjectStorage) async throws -> Archive? {
        let key = ArchiveKey.description
        guard let bytes = try await storage.read(key, nil) else { return nil }
        guard let version = ArchiveDocument.version(bytes) else {
            throw DaybookError.damaged(key, in: storage.name, "it is no description")
        }
        guard version == ArchiveDescription(store: "").version else {
            throw DaybookError.tooNew(key, in: storage.name, version: version)
        }
        guard let found = ArchiveDocument.decode(ArchiveDescription.self, bytes) else {
            throw DaybookError.damaged(key, in: storage.name, "it is no description")
        }
        return Archive(storage, store: found.store)
    }

    private func checked(for identity: String) throws(DaybookError) -> Archive {
        guard store == identity else {
            throw .archiveOfOther(name, store, not: identity)
        }
        return self
    }
}

extension Archive {
    /// Reads the segment that begins with a sequence. Returns nil if there is none.
    func segment(
        _ firstSequence: UInt64
    ) async throws -> SegmentReadAhead.Found? {
        let key = ArchiveKey.segment(firstSequence)
        guard let bytes = try await storage.read(key, nil) else { return nil }
        let (segment, hash) = try decode(bytes, key: key, firstSequence)
        return (segment, hash, bytes.count)
    }

    /// Reads the header of the segment that begins with a sequence. Returns nil if it was removed.
    func header(_ firstSequence: UInt64) async throws -> ArchiveSegment? {
        let key = ArchiveKey.segment(firstSequence)
        guard let bytes = try await storage.read(key, ArchiveSegment.headerRange) else {
            return nil
        }
        guard let header = ArchiveSegment.header(bytes) else {
            throw DaybookError.damaged(key, in: name, "it does not begin with a header")
        }
        return header
    }

    /// Decodes the segment that begins with a sequence.
    private func decode(
        _ bytes: [UInt8], key: String, _ firstSequence: UInt64
    ) throws(DaybookError) -> (segment: ArchiveSegment, hash: ArchiveHash) {
        do throws(ArchiveSegment.Defect) {
            let found = try ArchiveSegment.decode(bytes)
            guard found.segment.store == store else {
                throw .damaged("it belongs to the store \(found.segment.store)")
            }
            guard found.segment.firstSequence == firstSequence else {
                throw .damaged("it begins with sequence \(found.segment.firstSequence)")
            }
            return found
        } catch {
            switch error {
            case .damaged(let reason): throw .damaged(key, in: name, reason)
            case .newer(let version): throw .tooNew(key, in: name, version: Int(version))
            }
        }
    }

    /// The first sequences of the segments that begin after a sequence, at most a number of them.
    func segmentSequences(
        after sequence: UInt64 = 0, countMax: Int = 1000
    ) async throws -> [UInt64] {
        let entries = try await storage.list(
            prefix: ArchiveKey.segments, after: ArchiveKey.segment(sequence), countMax: countMax)
        return entries.compactMap { ArchiveKey.firstSequence(ofSegment: $0.key) }
    }

    /// The sequence with which the log in the archive begins: 1, or later after a purge. Segments
    /// with a lower first sequence are about to be removed.
    func beginning() async throws -> UInt64 {
        let marks = try await allKeys(ArchiveKey.beginnings).compactMap {
            ArchiveKey.sequence(in: $0, after: ArchiveKey.beginnings)
        }
        return max(1, marks.max() ?? 1)
    }

    /// The first sequence of the last segment that begins at a sequence or before it; nil if there
    /// is none. Cost: one list of up to a thousand keys, and in a longer archive up to 64 lists of
    /// one key.
    func lastSegmentSequence(through limit: UInt64 = .max) async throws -> UInt64? {
        let countMax = 1000
        let page = try await segmentSequences(countMax: countMax)
        guard page.count == countMax, var low = page.last, low <= limit else {
            return page.last { $0 <= limit }
        }
        // Each step lists the first segment after the middle: it is up to the limit, or not.
        var high = limit
        while low < high {
            let middle = low + (high - low) / 2
            let next = try await segmentSequences(after: middle, countMax: 1).first
            if let next, next <= limit { low = next } else { high = middle }
        }
        return low
    }

    /// The first sequences of all segments of the log.
    func allSegmentSequences() async throws -> [UInt64] {
        let beginning = try await beginning()
        return try await allKeys(ArchiveKey.segments, after: ArchiveKey.segment(beginning - 1))
            .compactMap { ArchiveKey.firstSequence(ofSegment: $0) }
    }

    /// The bases of an archive.
    struct Bases {
        /// The descriptions in ascending order of their sequences.
        var readable: [(name: String, base: ArchiveBase)] = []
        /// The errors of the other descriptions, which are damaged or of a newer release.
        var failures: [DaybookError] = []
    }

    /// Reads the descriptions of the bases.
    func bases() async throws -> Bases {
        var bases = Bases()
        for name in try await baseNames() {
            do {
                // A purge may have removed it meanwhile.
                if let base = try await base(name) { bases.readable.append((name, base)) }
            } catch let error as DaybookError where error.isDamage {
                bases.failures.append(error)
            }
        }
        return bases
    }

    /// The names of the bases, in ascending order of their sequences.
    func baseNames() async throws -> [String] {
        try await allKeys(ArchiveKey.bases)
            .map { String($0.dropFirst(ArchiveKey.bases.count)) }
            .filter { ArchiveKey.sequence(ofBase: $0) != nil }
    }

    /// Reads the description of a base; nil if there is none.
    func base(_ name: String) async throws -> ArchiveBase? {
        let key = ArchiveKey.base(name)
        guard let bytes = try await storage.read(key, nil) else { return nil }
        if let version = ArchiveDocument.version(bytes), version != 1 {
            throw DaybookError.tooNew(key, in: self.name, version: version)
        }
        guard let base = ArchiveDocument.decode(ArchiveBase.self, bytes), base.store == store,
            base.hasValidPaths
        else {
            throw DaybookError.damaged(key, in: self.name, "it is no description of a base")
        }
        return base
    }

    /// The keys with a prefix that follow a key, or all of them.
    func allKeys(_ prefix: String, after key: String? = nil) async throws -> [String] {
        try await allEntries(prefix, after: key).map(\.key)
    }

    /// The objects with a prefix of their keys that follow a key, or all of them.
    func allEntries(_ prefix: String, after key: String? = nil) async throws -> [ObjectEntry] {
        var entries: [ObjectEntry] = []
        let countMax = 1000
        while true {
            let page = try await storage.list(
                prefix: prefix, after: entries.last?.key ?? key, countMax: countMax)
            entries += page
            if page.count < countMax { return entries }
        }
    }
}
