package import DaybookBytes

/// Copies the log at one moment into a directory, incrementally if it contains an older backup.
///
/// Order: the moment is durable → the older backup is a prefix of the log → sealed segments are
/// linked or copied → the active segment is copied up to that moment → each file and the manifest
/// are read back → CURRENT, the commit point → files that only the older backup needs are removed.
/// The older backup stays valid until CURRENT is swapped. Only the file of its last segment is
/// replaced, by one that starts with the same bytes, and its manifest counts only those.
package struct LogBackup {
    /// The numbers of linked, copied and kept segments.
    package struct Tally: Sendable, Equatable {
        package var linkedCount = 0
        package var copiedCount = 0
        /// Segments that the older backup already contained.
        package var keptCount = 0
        package var copiedBytes = 0
    }

    /// Called with the number of bytes read or written. It may throw to end the backup.
    package typealias Step = (Int) throws(DaybookError) -> Void

    package private(set) var tally = Tally()
    let target: BackupTarget
    let log: Log
    let logView: LogView
    /// The sessions of all transactions in the backup.
    let sessions: Sessions
    private let copier: SegmentCopier
    private let links: Bool
    /// The sealed segments of the older backup, by number.
    let known: [UInt64: SegmentEntry]
    /// Names that this backup created and the older one does not contain.
    private var given: [String] = []

    /// Captures the moment: all appended transactions are durable when this returns.
    ///
    /// `links` is false if the target is on another file system. Throws `.durabilityUnknown`, and
    /// `.backupInvalid` for a target with an older backup that is not a prefix of this log.
    package init(
        _ log: Log, to target: BackupTarget, links: Bool
    ) throws(DaybookError) {
        self.log = log
        self.target = target
        self.links = links
        known = Dictionary(
            (target.older?.sealed ?? []).map { ($0.number, $0) }, uniquingKeysWith: { $1 })
        logView = log.view()
        copier = SegmentCopier(
            fileSystem: target.fileSystem, directory: target.path, store: log.store)
        do throws(DaybookError) {
            sessions = try log.sessions(of: logView)
            try log.durability?.wait(for: logView.end.sequence)
            if let older = target.older { try requirePrefix(older) }
        } catch {
            target.takeBack([])
            throw error
        }
    }

    /// The manifest of the backup.
    private var manifest: Manifest {
        var manifest = logView.manifest
        let end = logView.end
        manifest.generation = target.nextGeneration
        manifest.isBackup = true
        manifest.sessions = sessions
        manifest.durableSequence = end.sequence
        manifest.cleanClose = Manifest.CleanClose(
            sequence: end.sequence, length: end.offset, check: end.check)
        return manifest
    }

    /// The length of the log in the backup, in bytes.
    package var lengthBytes: Int { logView.entries.reduce(0) { $0 + $1.length } }

    /// The number of bytes that ``run(verifiesAll:_:)`` reports.
    package func workBytes(verifiesAll: Bool) -> Int {
        logView.manifest.sealed.reduce(2 * logView.end.offset) { sum, entry in
            sum + (isKnown(entry) ? (verifiesAll ? entry.length : 0) : 2 * entry.length)
        }
    }

    /// Writes the backup and returns its manifest. If it throws, the older backup is unchanged and
    /// no part of the new one remains; except after `.durabilityUnknown`, when either may survive a
    /// power failure.
    ///
    /// Throws `.corruption` for a damaged segment of the source, `.backupInvalid` for a copy that
    /// differs from its source, `.outOfSpace`, `.inputOutput`, and errors of `step`.
    package mutating func run(
        verifiesAll: Bool, _ step: Step
    ) throws(DaybookError) -> Manifest {
        var manifest = manifest
        do throws(DaybookError) {
            if target.older == nil {
                // This manifest identifies the store before CURRENT exists; see BackupTarget.
                try target.manifestFile.writeUnnamed(manifest)
                manifest.generation += 1
            }
            for entry in manifest.sealed { try place(entry, verifiesAll: verifiesAll, step) }
            try placeActive(step)
            try step(0)
            given.append(StoreFileName.manifest(generation: manifest.generation).text)
            try target.manifestFile.commit(manifest) { bytes throws(DaybookError) in
                let name = StoreFileName.manifest(generation: manifest.generation).text
                guard try target.fileSystem.readAll(target.path + "/" + name) == bytes else {
                    throw copier.differs(name)
                }
            }
        } catch {
            if error.code != .durabilityUnknown { target.takeBack(given) }
            throw error
        }
        removeUnneeded(manifest)
        return manifest
    }

    /// Whether the older backup contains the same segment.
    private func isKnown(_ entry: SegmentEntry) -> Bool {
        known[entry.number] == entry
    }

    /// Ensures that one sealed segment is in the target.
    private mutating func place(
        _ entry: SegmentEntry, verifiesAll: Bool, _ step: Step
    ) throws(DaybookError) {
        let name = entry.fileName.text
        let segment = try logView.segment(entry.number)
        let isThere = try target.fileSystem.kind(of: target.path + "/" + name) != nil
        if isThere {
            let isTrusted = isKnown(entry) && !verifiesAll
            if try copier.holds(entry, reading: !isTrusted, step) {
                tally.keptCount += 1
                return
            }
        } else {
            given.append(name)
            if links, try linked(segment, name) {
                guard try copier.holds(entry, reading: true, step) else {
                    throw .corruption(
                        segment: entry.number, offset: 0,
                        "its content differs from the hash in the manifest")
                }
                try step(entry.length)
                tally.linkedCount += 1
                return
            }
        }
        // The existing file is damaged, or is the tail of the older backup. A copy replaces it
        // atomically; a link cannot.
        try copier.copy(segment, of: entry, step)
        tally.copiedCount += 1
        tally.copiedBytes += entry.length
    }

    /// Links the file of a segment into the target. False if it must be copied, for example because
    /// a compaction removed the name and only this log has the file open.
    private func linked(_ segment: Segment, _ name: String) throws(DaybookError) -> Bool {
        do throws(DaybookError) {
            return try target.fileSystem.link(segment.path, to: target.path + "/" + name)
        } catch  where error.code == .fileNotFound {
            return false
        }
    }

    private mutating func placeActive(_ step: Step) throws(DaybookError) {
        let name = manifest.activeFileName.text
        if try target.fileSystem.kind(of: target.path + "/" + name) == nil { given.append(name) }
        let segment = try logView.segment(logView.end.segment)
        try copier.copy(segment, until: logView.end, named: name, step)
        tally.copiedCount += 1
        tally.copiedBytes += logView.end.offset
    }

    /// Removes files that no manifest names. The next backup retries files that cannot be removed.
    private func removeUnneeded(_ manifest: Manifest) {
        let live = manifest.segmentNumbers
        for name in (try? target.fileSystem.list(target.path)) ?? [] {
            let isNeeded =
                switch StoreFileName(name) {
                case .segment(_, let number)?: live.contains(number)
                case .manifest(let generation)?: generation == manifest.generation
                case .temporary?: false
                default: true
                }
            if !isNeeded { try? target.fileSystem.remove(target.path + "/" + name) }
        }
    }
}
