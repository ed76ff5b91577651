import DaybookBytes

/// Finds the end of the log and repairs the effects of a crash.
///
/// The torn-tail rule: let L be the last whole transaction along the chain of checks. If only zeros
/// follow, the log ends there. If a later frame header, the manifest or a snapshot claims a durable
/// sequence above L, durable bytes are damaged, which is `.corruption`. Otherwise the rest is a
/// torn tail of commits that never returned. It is copied to quarantine/ and truncated.
struct LogRecovery {
    private(set) var directory: LogDirectory
    private(set) var report = RecoveryReport()
    private var durableClaim: UInt64

    init(directory: LogDirectory, durableClaim: UInt64) {
        self.directory = directory
        let manifest = directory.manifest
        self.durableClaim = max(
            durableClaim, manifest.durableSequence, manifest.cleanClose?.sequence ?? 0)
    }

    private var fileSystem: any FileSystem { directory.fileSystem }
    private var isReadOnly: Bool { directory.lock == nil }

    mutating func run(resume: LogPosition?) throws(DaybookError) -> Tail {
        let manifest = directory.manifest
        let segment = try Segment.open(
            manifest.activeFileName, number: manifest.activeNumber, store: manifest.store,
            in: directory.path, fileSystem, isReadOnly ? .read : .readWrite)
        let size = try countedSize(of: segment)
        var walk = try TailScanner(segment, from: resume, size: size)
        try walk.run()
        while isReadOnly, walk.durableClaim > walk.end.sequence {
            // A concurrent writer may have appended during the walk; frames that it synced are
            // complete now.
            var further = try TailScanner(
                segment, from: walk.end, size: try segment.file.size())
            try further.run()
            guard further.end.sequence > walk.end.sequence else { break }
            walk = further
        }
        durableClaim = max(durableClaim, walk.durableClaim)
        report.scannedFrameCount = walk.frameCount
        report.lastSequence = walk.end.sequence
        if let mark = manifest.cleanClose, mark.sequence == walk.end.sequence {
            // The frames are valid but differ from the closed store's: the file is from a diverged
            // copy.
            guard mark.check == walk.end.check else {
                throw .corruption(
                    segment: segment.number, offset: walk.end.offset, after: walk.end.sequence,
                    "its last frames differ from those at the close of the store")
            }
            report.wasClosedCleanly = mark.length == size
        }
        if durableClaim > walk.end.sequence {
            throw .corruption(
                segment: segment.number, offset: walk.end.offset, after: walk.end.sequence,
                "commits up to sequence \(durableClaim) were durable but are incomplete")
        }
        if isReadOnly {
            // A reader must not show transactions that a power failure could still undo, either.
            if walk.end.sequence > durableClaim {
                try segment.syncAsReader(after: durableClaim)
            }
        } else {
            try cutTail(walk, segment)
            try putAwayOrphans()
            if let moved = try rewriteUnsyncedTail(walk, segment) { return moved }
        }
        return walk.tail(allocated: isReadOnly ? walk.end.offset : try segment.file.size())
    }

    /// The counted size of the active segment: the file size or, for a backup, the length in its
    /// manifest. A newer backup in progress may have replaced the file by a longer copy.
    private func countedSize(of segment: Segment) throws(DaybookError) -> Int {
        let size = try segment.file.size()
        guard directory.manifest.isBackup, let end = directory.manifest.cleanClose else {
            return size
        }
        guard size >= end.length else {
            throw .corruption(
                segment: segment.number, offset: size,
                "it has \(size) bytes, but the backup contains \(end.length)")
        }
        return end.length
    }

    /// Copies the bytes after the last whole transaction to quarantine and truncates them. The
    /// truncation is durable before any append. A valid seal frame is not copied, because it only
    /// repeats information.
    private mutating func cutTail(
        _ walk: TailScanner, _ segment: Segment
    ) throws(DaybookError) {
        if walk.tornEnd > walk.end.offset {
            let torn = try segment.file.read(walk.tornEnd - walk.end.offset, at: walk.end.offset)
            let name = "segment-\(segment.number)-at-\(walk.end.offset)-after-\(walk.end.sequence)"
            report.quarantinedFile = try Quarantine(
                fileSystem: fileSystem, directory: directory.path
            ).keep(torn, name)
            report.tornBytes = torn.count
        } else if !walk.endsWithSeal {
            return
        }
        try segment.file.resize(to: walk.end.offset)
        try segment.file.sync()
    }

    /// Writes frames that may not be synced into a new segment before any append: after a failed
    /// sync, the operating system may return bytes that are not on disk.
    private mutating func rewriteUnsyncedTail(
        _ walk: TailScanner, _ segment: Segment
    ) throws(DaybookError) -> Tail? {
        guard !report.wasClosedCleanly,
            let keep = walk.lastPosition(durableUpTo: durableClaim), keep.offset < walk.end.offset
        else { return nil }
        var next = directory.manifest
        next.generation += 1
        next.activeNumber = next.nextSegmentNumber
        next.nextSegmentNumber += 1
        next.activeFirstSequence = keep.sequence + 1
        next.cleanClose = nil
        try Log.checkNumber(next.activeNumber)
        if keep.offset > LogFormat.SegmentHeader.length {
            next.sealed.append(try SegmentEntry(cutting: segment, at: keep))
        }
        try SegmentFile.create(next, in: directory.path, fileSystem).close()
        let fresh = try Segment.open(
            next.activeFileName, number: next.activeNumber, store: next.store, in: directory.path,
            fileSystem, .readWrite)
        var tail = try Tail(startOf: fresh)
        report.rewrittenFrameCount = try tail.copyFrames(
            of: segment, from: keep, until: walk.end.offset, durable: durableClaim)
        try fresh.file.sync()
        next.durableSequence = tail.lastSequence
        try directory.manifestFile.commit(next)
        let old = StoreFileName.manifest(generation: directory.manifest.generation).text
        directory.manifest = next
        // Errors are ignored, as after every other commit of a manifest.
        try? fileSystem.remove(directory.path + "/" + old)
        try finishCut(of: segment, at: keep)
        return tail
    }

    /// The frames after `keep` are now in the new segment; the rest of the old segment is sealed.
    private func finishCut(of segment: Segment, at keep: LogPosition) throws(DaybookError) {
        if keep.offset > LogFormat.SegmentHeader.length {
            try segment.file.resize(to: keep.offset)
            try segment.file.sync()
        } else {
            try fileSystem.remove(segment.path)
        }
    }

    /// Removes files of the store that no manifest names: stale segments and temporary files. A
    /// segment with a number that was never reserved is moved to quarantine.
    private mutating func putAwayOrphans() throws(DaybookError) {
        let manifest = directory.manifest
        let live = Set(manifest.sealed.map(\.number) + [manifest.activeNumber])
        for text in try fileSystem.list(directory.path) {
            guard let name = StoreFileName(text) else { continue }
            switch name {
            case .segment(_, let number) where !live.contains(number):
                report.orphanedFiles.append(text)
                let path = directory.path + "/" + text
                let isBlank = try isBlank(path)
                if isBlank || number < manifest.nextSegmentNumber {
                    try fileSystem.remove(path)
                } else {
                    try Quarantine(fileSystem: fileSystem, directory: directory.path).move(text)
                }
            case .manifest(let generation) where generation < manifest.generation:
                try fileSystem.remove(directory.path + "/" + text)
            case .temporary:
                try fileSystem.remove(directory.path + "/" + text)
            default: break
            }
        }
    }

    private func isBlank(_ path: String) throws(DaybookError) -> Bool {
        let file = try fileSystem.open(path, .read)
        defer { file.close() }
        return try file.size() <= LogFormat.SegmentHeader.length
    }
}
