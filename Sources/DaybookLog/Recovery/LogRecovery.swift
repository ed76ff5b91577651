import DaybookBytes

/// Finds the end of the log and repairs the effects of a crash.
///
/// The torn-tail rule: let L be the last whole transaction along the chain of checks. If only zeros
/// follow, the log ends there. If a later frame header, the manifest or a snapshot claims a durable
/// sequence above L, durable bytes are damaged, which is `.corruption`. Otherwise the rest is a
/// torn tail of commits that never returned. It is copied to quarantine/ and truncated.
struct LogRecovery {
    private(set) var directory: LogDirectory
    var report = RecoveryReport()
    private var durableClaim: UInt64
    private let copyBytesMax: Int
    /// The generation of the manifest that was found.
    let generationFound: UInt64

    init(directory: LogDirectory, durableClaim: UInt64, _ options: LogOptions) {
        self.directory = directory
        copyBytesMax = options.tailCopyBytesMax
        let manifest = directory.manifest
        generationFound = manifest.generation
        self.durableClaim = max(
            durableClaim, manifest.durableSequence, manifest.cleanClose?.sequence ?? 0)
        report.toleratedDamage = directory.damage
    }

    var fileSystem: any FileSystem { directory.fileSystem }
    private var isReadOnly: Bool { directory.lock == nil }

    mutating func run(resume: LogPosition?) throws(DaybookError) -> Tail {
        let manifest = directory.manifest
        let segment = try directory.activeSegment()
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
        try requireFrames(after: segment, walk)
        if isReadOnly {
            // A reader must not show transactions that a power failure could still undo, either.
            if walk.end.sequence > durableClaim {
                try segment.syncAsReader(after: durableClaim)
            }
        } else {
            try cutTail(walk, segment)
            try putAwayOrphans()
            try rewriteUnsyncedTail(walk, segment)
            try rewriteDamaged(segment, framesEnd: walk.end.offset)
        }
        if let damage = segment.toleratedDamage { report.toleratedDamage.append(damage) }
        // From here on, the file contains the copied frames, or reading it yields them.
        segment.clipCopy(to: walk.end.offset)
        directory.manifest.tailCopy = nil
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

    /// Writes the frames that may not be synced again, at the same place, and syncs them: after a
    /// failed sync, the operating system may return bytes that are not on disk.
    ///
    /// The frames may belong to commits that returned, and a power failure may damage the bytes
    /// that are being written. So a manifest with a copy of them is durable before each write.
    private mutating func rewriteUnsyncedTail(
        _ walk: TailScanner, _ segment: Segment
    ) throws(DaybookError) {
        if var copy = directory.manifest.tailCopy, walk.durableClaim < copy.sequence {
            // Later frames of its last transaction may be torn.
            copy.bytes = Array(copy.bytes.prefix(max(0, walk.end.offset - copy.offset)))
            try write(copy, to: segment)
            // Such a copy would hide the frames that are written in place of the torn ones.
            if walk.end.sequence < copy.sequence { try commit(nil, durable: durableClaim) }
        }
        guard !report.wasClosedCleanly,
            let keep = walk.lastPosition(durableUpTo: durableClaim), keep.offset < walk.end.offset
        else { return }
        var scanner = SegmentScanner(segment, from: keep, limit: walk.end.offset)
        var copy = Manifest.TailCopy(
            sequence: walk.end.sequence, offset: keep.offset, bytes: [])
        while let frame = try scanner.next() {
            report.rewrittenFrameCount += 1
            copy.bytes += frame.bytes
            guard copy.bytes.count >= copyBytesMax else { continue }
            try commit(copy, durable: durableClaim)
            try write(copy, to: segment)
            copy.offset += copy.bytes.count
            copy.bytes.removeAll()
        }
        guard scanner.offset == walk.end.offset else {
            throw .corruption(
                segment: segment.number, offset: scanner.offset, "a frame fails its check")
        }
        let isLong = copy.bytes.count > Self.keptCopyBytesMax || copy.offset > keep.offset
        if !copy.bytes.isEmpty {
            try commit(copy, durable: walk.end.sequence)
            try write(copy, to: segment)
        }
        if isLong { try commit(nil, durable: walk.end.sequence) }
    }

    /// The length of a copy that may stay in the manifest until the next one, because readers load
    /// the manifest often.
    private static let keptCopyBytesMax = 64 << 10

    private func write(
        _ copy: Manifest.TailCopy, to segment: Segment
    ) throws(DaybookError) {
        guard !copy.bytes.isEmpty else { return }
        try segment.file.write(copy.bytes.span, at: copy.offset)
        try segment.file.sync()
    }

    private mutating func commit(
        _ copy: Manifest.TailCopy?, durable sequence: UInt64
    ) throws(DaybookError) {
        var next = directory.manifest
        next.cleanClose = nil
        next.tailCopy = copy
        next.durableSequence = sequence
        try commit(next)
    }

    /// Makes a manifest the next one.
    mutating func commit(_ manifest: Manifest) throws(DaybookError) {
        var next = manifest
        next.generation = directory.manifest.generation + 1
        try directory.manifestFile.commit(next)
        let old = StoreFileName.manifest(generation: directory.manifest.generation).text
        directory.manifest = next
        // Errors are ignored, as after every other commit of a manifest.
        try? fileSystem.remove(directory.path + "/" + old)
    }

    /// Removes files of the store that no manifest names: stale segments and temporary files. A
    /// segment with a number that was never reserved is moved to quarantine.
    private mutating func putAwayOrphans() throws(DaybookError) {
        let manifest = directory.manifest
        let live = manifest.segmentNumbers
        var isNewer = false
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
            case .manifest(let generation) where generation != manifest.generation:
                try fileSystem.remove(directory.path + "/" + text)
                isNewer = isNewer || generation > manifest.generation
            case .temporary:
                try fileSystem.remove(directory.path + "/" + text)
            default: break
            }
        }
        // A commit that was interrupted left it. If CURRENT were lost, it would count; see
        // `ManifestFile.newest(_:)`.
        if isNewer { try fileSystem.syncDirectory(directory.path) }
    }

    private func isBlank(_ path: String) throws(DaybookError) -> Bool {
        let file = try fileSystem.open(path, .read)
        defer { file.close() }
        return try file.size() <= LogFormat.SegmentHeader.length
    }
}
