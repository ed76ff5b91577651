package import DaybookBytes
import DaybookIndex
import DaybookLog
import DaybookPages

extension Engine {
    /// Builds a new store with the history of this one up to a point, or all of it: the same
    /// transactions with their sequences, times and metadata, compressed, and an identity of its
    /// own.
    ///
    /// The new directory must be empty or not there. Its log is read back and folded, and its state
    /// compared with that of this store, before it becomes a store: a crash leaves nothing that
    /// opens as one, and an error or an interruption leaves nothing at all. Cost: three reads of
    /// the log and two folds in memory. Throws `.fileExists`, `.invalidArgument` for a path
    /// inside this store, `.historyTruncated`, `.interrupted`, `.corruption`, `.outOfSpace`.
    package func copy(
        into path: String, until point: HistoryPoint? = nil,
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> CopyReport {
        try requireOpen()
        let fileSystem = log.fileSystem
        // By whatever links and dots the two are named.
        let source = try fileSystem.resolve(log.directory)
        let isInside = try (fileSystem.resolve(path) + "/").hasPrefix(source + "/")
        if isInside { throw Self.inside(path) }
        var last = UInt64.max
        if let point { last = try self.last(atOrBefore: point, control.stage(0, 0)) }
        let state = try foldedState(until: last, control.stage(0, 0.25))
        let made = try fileSystem.missingDirectories(of: path)
        do throws(DaybookError) {
            return try build(path, from: state, control)
        } catch {
            // Only those that are empty go: what somebody else put there stays.
            for directory in made { try? fileSystem.removeDirectory(directory) }
            throw error
        }
    }

    private func build(
        _ path: String, from state: FoldedState, _ control: OperationControl
    ) throws(DaybookError) -> CopyReport {
        var generator = SystemRandomNumberGenerator()
        let directory = try LogDirectory.beginUnnamed(
            path, log.fileSystem, holder: "process \(ProcessIdentity.current)",
            store: .random(using: &generator), after: state.sequence,
            timeMicroseconds: UInt64(clamping: WallClock.microsecondsSinceEpoch()))
        do throws(DaybookError) {
            return try fill(directory, from: state, control)
        } catch {
            directory.discardUnnamed()
            throw error
        }
    }

    private func fill(
        _ directory: LogDirectory, from state: FoldedState, _ control: OperationControl
    ) throws(DaybookError) -> CopyReport {
        let (target, _) = try Log.open(
            directory, transform: SchemaTransposition(schemas), options: options.log, resume: nil,
            durableClaim: 0, onDurable: { _ in })
        let finished = try write(to: target, until: state.sequence, control.stage(0.25, 0.75))
        for (_, segment) in finished { target.admit(segment) }
        let entries = finished.map(\.entry)
        let hash = try foldedHash(of: entries, in: target, control.stage(0.75, 1))
        guard hash == (try state.hash()) else { throw Self.differs(directory.path) }
        try control.check()
        try target.name(entries, historyFloor: log.manifest.historyFloor)
        try target.close()
        return CopyReport(
            store: target.store, sequence: state.sequence, segmentCount: entries.count,
            recordCount: entries.reduce(0) { $0 + $1.recordCount },
            lengthBytes: target.lengthBytes, stateHash: hash)
    }

    private func write(
        to target: Log, until last: UInt64, _ control: OperationControl
    ) throws(DaybookError) -> [(entry: SegmentEntry, segment: Segment)] {
        var blocks = BlockWriter(
            target, options, numbers: (target.manifest.activeNumber + 1)..<Location.segmentNumberMax
        )
        let progress = LogProgress(log)
        var scanner = try log.scan(from: nil)
        while let frame = try scanner.next(), frame.header.firstSequence <= last {
            try control.check()
            var verdict = Survivors.Verdict()
            for (record, sequence) in try Survivors.records(of: frame) where sequence <= last {
                verdict.kept.append(
                    Survivors.Kept(record: record, sequence: sequence, indexedAt: nil))
            }
            try blocks.append(verdict, of: frame)
            control.progress(progress.fraction(at: frame))
        }
        try blocks.finish()
        return blocks.finished
    }

    private func foldedHash(
        of entries: [SegmentEntry], in target: Log, _ control: OperationControl
    ) throws(DaybookError) -> UInt64 {
        let space = PageSpace()
        var stamp: UInt64 = 0
        var replay = Replay(schema: Schema())
        for (index, entry) in entries.enumerated() {
            control.progress(Double(index) / Double(entries.count))
            var scanner = try target.scan(entry)
            try replay.run(
                &scanner, after: 0, into: space, stamp: &stamp, isCancelled: control.isCancelled)
        }
        return try StateHash.compute(space.pin().reader, schema: replay.schema)
    }

    private static func differs(_ path: String) -> DaybookError {
        DaybookError(
            .corruption,
            "The copy in \(path) does not give the state of its source, and was taken back. Run"
                + " 'daybook verify' on the source.",
            details: ["path": path])
    }

    private static func inside(_ path: String) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "\(path) lies inside the store that is to be copied. Name a directory outside of it.",
            details: ["path": path])
    }
}
