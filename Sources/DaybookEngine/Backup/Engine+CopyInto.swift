package import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

extension Engine {
    /// Builds a new store with the history of this one up to a point, or all of it: the same
    /// transactions with their sequences, times and metadata, compressed, and a new identity. The
    /// store knows where its history comes from (``sharesHistory(of:until:)``). The positions of
    /// named consumers are copied; a position after the point is an error when it is read.
    ///
    /// The new directory must be empty or missing. Before the copy becomes a store, its log is read
    /// back, compared with the source byte for byte and replayed, and the two states are compared.
    /// After a crash the directory is a complete store, or none; an error or an interruption leaves
    /// no file. Cost: four reads of the log and two replays in memory.
    /// Throws `.fileExists`, `.invalidArgument` for a path inside this store, `.historyTruncated`,
    /// `.interrupted`, `.corruption`, `.outOfSpace`.
    package func copy(
        into path: String, until point: HistoryPoint? = nil,
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> RestoreReport {
        try requireOpen()
        let fileSystem = log.fileSystem
        try requireOutside(path)
        var last = UInt64.max
        if let point { last = try self.last(atOrBefore: point, control.stage(0, 0)) }
        let state = try replayedState(until: last, control.stage(0, 0.25))
        let made = try fileSystem.missingDirectories(of: path)
        do throws(DaybookError) {
            return try build(path, from: state, control)
        } catch {
            // Removes only empty directories: files of others remain.
            for directory in made { try? fileSystem.removeDirectory(directory) }
            throw error
        }
    }

    private func build(
        _ path: String, from state: ReplayedState, _ control: OperationControl
    ) throws(DaybookError) -> RestoreReport {
        let directory = try LogDirectory.beginUnnamed(
            path, log.fileSystem, holder: "process \(ProcessIdentity.current)",
            store: .random(), ancestors: ancestors(until: state.sequence),
            after: state.sequence,
            timeMicroseconds: UInt64(clamping: WallClock.microsecondsSinceEpoch()))
        do throws(DaybookError) {
            return try fill(directory, from: state, control)
        } catch {
            directory.discardUnnamed()
            throw error
        }
    }

    /// The stores that share the history up to a sequence with a copy of it.
    private func ancestors(until last: UInt64) -> [Manifest.Ancestor] {
        let manifest = log.manifest
        return [Manifest.Ancestor(store: manifest.store, sequence: last)]
            + manifest.ancestors.map {
                Manifest.Ancestor(store: $0.store, sequence: min($0.sequence, last))
            }
    }

    private func fill(
        _ directory: LogDirectory, from state: ReplayedState, _ control: OperationControl
    ) throws(DaybookError) -> RestoreReport {
        let (target, _) = try Log.open(
            directory, transform: SchemaTransposition(schemas), options: options.log, resume: nil,
            durableClaim: 0, onDurable: { _ in })
        let (finished, written) = try write(
            to: target, until: state.sequence, control.stage(0.25, 0.7))
        for (_, segment) in finished { target.admit(segment) }
        let entries = finished.map(\.entry)
        let hash = try checkedHash(
            of: target, entries, against: state, written, control.stage(0.7, 1))
        try control.check()
        let consumers = try BackupConsumers(of: log.directory, log.fileSystem)
        do throws(DaybookError) {
            try consumers.write(to: target.directory, log.fileSystem)
            try target.name(entries, historyFloor: log.manifest.historyFloor)
        } catch {
            consumers.takeBack(from: target.directory, log.fileSystem)
            throw error
        }
        try target.close()
        return RestoreReport(
            store: target.store, sequence: state.sequence, segmentCount: entries.count,
            recordCount: entries.reduce(0) { $0 + $1.recordCount },
            lengthBytes: target.lengthBytes, stateHash: hash)
    }

    /// Copies the records up to a sequence; returns the new segments, and the hash of the records'
    /// bytes.
    private func write(
        to target: Log, until last: UInt64, _ control: OperationControl
    ) throws(DaybookError) -> ([(entry: SegmentEntry, segment: Segment)], UInt64) {
        var writer = SealedSegmentWriter(newStore: target, options)
        var hash = XXH64()
        var frames = LogFrames(
            try log.scan(from: nil), until: last, progress: LogProgress(log))
        while let frame = try frames.next(control) {
            for (record, sequence) in try frame.records() where sequence <= last {
                hash.update(frame.payload.span.extracting(record.offset..<record.end))
                try writer.append(record, of: sequence, in: frame)
            }
        }
        try writer.finish()
        return (writer.finished, hash.digest())
    }

    /// Reads the copy back: its records must be the written ones, byte for byte, and a replay must
    /// give the state of the source. Returns the hash of that state.
    func checkedHash(
        of target: Log, _ entries: [SegmentEntry], against state: ReplayedState, _ written: UInt64,
        _ control: OperationControl
    ) throws(DaybookError) -> UInt64 {
        let space = PageSpace()
        var stamp: UInt64 = 0
        var replay = Replay(schema: Schema())
        replay.keepsIndexes = false
        var hash = XXH64()
        for (index, entry) in entries.enumerated() {
            control.progress(Double(index) / Double(entries.count))
            let scanner = try target.scan(entry)
            try replay.run(
                scanner, of: target, after: 0, into: space, stamp: &stamp,
                isCancelled: control.isCancelled
            ) { hash.update($0.payload.span) }
        }
        return try space.withPinned { reader throws(DaybookError) in
            let indexes = try StateHash.computeIndexes(reader, schema: replay.schema)
            let expected = try state.view.withTrees { trees throws(DaybookError) in
                try StateHash.computeIndexes(trees, schema: state.schema)
            }
            guard hash.digest() == written, indexes == expected else {
                throw Self.differs(target.directory)
            }
            var rows = StateRows()
            for entry in entries {
                var scanner = try target.scan(entry)
                while let frame = try scanner.next() {
                    try control.check()
                    try rows.add(frame, in: reader)
                }
            }
            return try StateHash.compute(reader, schema: replay.schema, rows: rows)
        }
    }

    private static func differs(_ path: String) -> DaybookError {
        DaybookError(
            .corruption,
            "The copy in \(path) differs from its source and was removed. Run 'daybook verify' on"
                + " the source.",
            details: ["path": path])
    }
}
