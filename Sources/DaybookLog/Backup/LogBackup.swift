package import DaybookBytes

/// A copy of the log as it is at one moment, laid into a directory beside the one before.
///
/// Order: the moment is durable → the older backup is of its past → sealed segments linked or
/// copied → the active one copied up to that moment → each file read back, with the manifest →
/// CURRENT, the commit point → what the older backup alone needed removed. Until CURRENT is swapped
/// the older backup stays whole: no file that it names is changed but its last segment, which is
/// replaced by one that begins with the same bytes, and of that its manifest counts those alone.
package struct LogBackup {
    /// How the segments of a backup came there.
    package struct Tally: Sendable, Equatable {
        package var linkedCount = 0
        package var copiedCount = 0
        /// Those that the older backup had.
        package var keptCount = 0
        package var copiedBytes = 0
    }

    /// Told how many bytes were read or written; it may throw to end the backup.
    package typealias Step = (Int) throws(DaybookError) -> Void

    package private(set) var tally = Tally()
    let target: BackupTarget
    let log: Log
    let picture: LogPicture
    private let copier: BackupCopier
    private let links: Bool
    /// The sealed segments of the older backup, by number.
    let known: [UInt32: SegmentEntry]
    /// Names that this backup gave and the older one does not know.
    private var given: [String] = []

    /// Takes the moment: all that was appended is durable when this returns.
    ///
    /// `links` is false where the target stands on another file system. `isSame` is asked where the
    /// files of an older backup do not show whether it belongs to the past of this log: it compares
    /// the transactions. Throws `.durabilityUnknown`, `.backupInvalid` for a target whose backup
    /// does not belong there, and what `isSame` throws.
    package init(
        _ log: Log, to target: BackupTarget, links: Bool,
        isSame: (BackupPast) throws(DaybookError) -> Bool
    ) throws(DaybookError) {
        self.log = log
        self.target = target
        self.links = links
        known = Dictionary(
            (target.older?.sealed ?? []).map { ($0.number, $0) }, uniquingKeysWith: { $1 })
        picture = log.picture()
        copier = BackupCopier(
            fileSystem: target.fileSystem, directory: target.path, store: log.store)
        do throws(DaybookError) {
            try log.durability?.wait(for: picture.end.sequence)
            if let older = target.older { try requirePast(older, isSame) }
        } catch {
            target.takeBack([])
            throw error
        }
    }

    /// What the backup will say of itself.
    private var manifest: Manifest {
        var manifest = picture.manifest
        let end = picture.end
        manifest.generation = target.nextGeneration
        manifest.isBackup = true
        manifest.durableSequence = end.sequence
        manifest.cleanClose = Manifest.CleanClose(
            sequence: end.sequence, length: end.offset, check: end.check)
        return manifest
    }

    /// What the log takes in it.
    package var lengthBytes: Int { picture.entries.reduce(0) { $0 + $1.length } }

    /// How many bytes ``run(verifiesAll:_:)`` will step over.
    package func workBytes(verifiesAll: Bool) -> Int {
        picture.manifest.sealed.reduce(2 * picture.end.offset) { sum, entry in
            sum + (isKnown(entry) ? (verifiesAll ? entry.length : 0) : 2 * entry.length)
        }
    }

    /// Makes the backup, and returns what it says of itself. Where this throws the older one is
    /// what it was and nothing of this one is left; save after `.durabilityUnknown`, when a power
    /// cut may leave either.
    ///
    /// Throws `.corruption` for a segment of the source that is not what was written,
    /// `.backupInvalid` for one that does not read back as it was copied, `.outOfSpace`,
    /// `.inputOutput`, and what `step` throws.
    package mutating func run(
        verifiesAll: Bool, _ step: Step
    ) throws(DaybookError) -> Manifest {
        var manifest = manifest
        do throws(DaybookError) {
            if target.older == nil {
                // Says whose directory it is; see BackupTarget.
                let name = StoreFileName.manifest(generation: manifest.generation).text
                try target.fileSystem.replaceAtomically(
                    manifest.encoded().bytes, named: name, in: target.path)
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

    /// Whether the older backup has the same segment.
    private func isKnown(_ entry: SegmentEntry) -> Bool {
        known[entry.number] == entry
    }

    /// Makes one sealed segment stand in the target.
    private mutating func place(
        _ entry: SegmentEntry, verifiesAll: Bool, _ step: Step
    ) throws(DaybookError) {
        let name = entry.fileName.text
        let segment = try picture.segment(entry.number)
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
        // What is there is damaged, or the tail of the older backup: a file that is whole takes
        // its place at once, which a link cannot.
        try copier.copy(segment, of: entry, step)
        tally.copiedCount += 1
        tally.copiedBytes += entry.length
    }

    /// Gives the file of a segment a name in the target; false where it must be copied: also where
    /// a compaction has taken away its name, and only this log still has it open.
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
        let segment = try picture.segment(picture.end.segment)
        try copier.copy(segment, until: picture.end, named: name, step)
        tally.copiedCount += 1
        tally.copiedBytes += picture.end.offset
    }

    /// Removes what no manifest names any more; what cannot be removed goes with the next backup.
    private func removeUnneeded(_ manifest: Manifest) {
        let live = Set(manifest.sealed.map(\.number) + [manifest.activeNumber])
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
