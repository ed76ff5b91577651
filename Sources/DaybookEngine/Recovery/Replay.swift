import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

/// Replays the log into page trees: from its beginning, or from the position of a snapshot.
struct Replay {
    var schema: Schema
    var applied = AppliedState()
    /// Whether the property indexes are kept up to date, too.
    var keepsIndexes = true
    /// Whether indexes that need not be complete are built later, in the background.
    var leavesBuilding = false
    private(set) var changeCount = 0
    /// The length of the replayed frames.
    private(set) var byteCount = 0
    /// When the last replayed transaction was committed.
    private(set) var lastTimeMicroseconds: UInt64
    private var touched = TouchedObjects(AppliedState())

    /// Continues from a state; with a schema alone, begins with empty trees.
    init(schema: Schema, applied: AppliedState = AppliedState(), lastTimeMicroseconds: UInt64 = 0) {
        self.schema = schema
        self.applied = applied
        self.lastTimeMicroseconds = lastTimeMicroseconds
    }

    /// Replays every transaction after `sequence`, reading from `position`, and publishes the
    /// result. `stamp` numbers the states of the trees. `isCancelled` is called once for each
    /// frame; `willPublish` receives the schema before a reader can see a row that needs it.
    mutating func run(
        _ log: Log, from position: LogPosition?, after sequence: UInt64, until last: UInt64 = .max,
        into space: PageSpace, stamp: inout UInt64,
        isCancelled: () -> Bool = { false },
        willPublish: (Schema) throws(DaybookError) -> Void = { _ in }
    ) throws(DaybookError) {
        try run(
            try log.scan(from: position), of: log, after: sequence, until: last, into: space,
            stamp: &stamp,
            isCancelled: isCancelled, willPublish: willPublish)
    }

    /// Replays the frames of a scanner of `log`; `visit` is called with each frame, and `publish`
    /// instead of the publication of the result.
    mutating func run(
        _ scanner: LogScanner, of log: Log, after sequence: UInt64,
        until last: UInt64 = .max, into space: PageSpace, stamp: inout UInt64,
        isCancelled: () -> Bool = { false },
        visit: (LogScanner.Frame) -> Void = { _ in },
        willPublish: (Schema) throws(DaybookError) -> Void = { _ in },
        publish: ((PageVersion) -> Void)? = nil
    ) throws(DaybookError) {
        touched = TouchedObjects(applied)
        var isChanging = false
        var transactions = LogTransactions(
            LogFrames(scanner, after: sequence, until: last), TransactionChanges())
        do throws(DaybookError) {
            while let ended = try transactions.nextBatch(
                isCancelled: isCancelled,
                visit: { frame in
                    byteCount += frame.header.frameLength
                    visit(frame)
                })
            {
                guard !ended.isEmpty else { continue }
                begin(space, &stamp, &isChanging)
                try apply(ended, to: space)
            }
        } catch {
            // A failed read of the log leaves whole pages; a failed change of the trees does not.
            if isChanging, !error.isDamagedSnapshot { _ = space.end() }
            throw error
        }
        if keepsIndexes {
            try catchUpIndexes(log, space, &stamp, &isChanging, isCancelled)
        }
        guard isChanging else { return }
        let version = space.end()
        try willPublish(schema)
        if let publish { publish(version) } else { space.publish(version) }
    }

    /// Begins the change of the trees, once for the whole run. A page is then copied once for all
    /// transactions that change it, so the memory depends on the state and not on the history.
    private func begin(_ space: PageSpace, _ stamp: inout UInt64, _ isChanging: inout Bool) {
        guard !isChanging else { return }
        isChanging = true
        stamp += 1
        space.begin(sequence: stamp)
    }

    /// Applies the transactions that end in one frame.
    private mutating func apply(
        _ ended: [LogTransactions<TransactionChanges>.Transaction], to space: PageSpace
    ) throws(DaybookError) {
        for transaction in ended {
            let (commit, changes) = (transaction.commit, transaction.contents.changes)
            guard commit.sequence > applied.sequence else { throw Self.outOfOrder(commit, applied) }
            for layout in transaction.contents.layouts { try schema.add(layout) }
            if keepsIndexes { try touched.note(changes, in: space.working) }
            try applied.apply(changes, sequence: commit.sequence, to: space)
            changeCount += changes.count
            lastTimeMicroseconds = max(
                lastTimeMicroseconds, UInt64(clamping: commit.timeMicroseconds))
        }
    }

    /// Updates the indexes at the end of a run: of an object with several changes, only the first
    /// and the last version are relevant.
    private mutating func catchUpIndexes(
        _ log: Log, _ space: PageSpace, _ stamp: inout UInt64, _ isChanging: inout Bool,
        _ isCancelled: () -> Bool
    ) throws(DaybookError) {
        let catchUp = IndexCatchUp(
            log, space, schema, leavesBuilding: leavesBuilding)
        guard catchUp.isDue(applied, touched) else { return }
        begin(space, &stamp, &isChanging)
        changeCount += try catchUp.run(&applied, touched, isCancelled: isCancelled)
        touched = TouchedObjects(applied)
    }

    /// Builds the indexes of the layouts over the replayed objects, and publishes the result.
    mutating func buildIndexes(
        _ indexes: PastIndexes, _ log: Log, in space: PageSpace, stamp: inout UInt64,
        isCancelled: () -> Bool = { false }
    ) throws(DaybookError) {
        guard !indexes.layouts.isEmpty else { return }
        let catchUp = IndexCatchUp(
            log, space, indexes.schema, layouts: indexes.layouts)
        stamp += 1
        space.begin(sequence: stamp)
        _ = try catchUp.run(&applied, TouchedObjects(applied), isCancelled: isCancelled)
        space.publish(space.end())
    }

    private static func outOfOrder(_ commit: CommitRecord, _ applied: AppliedState) -> DaybookError
    {
        DaybookError(
            .corruption,
            "The log contains sequence \(commit.sequence) after \(applied.sequence). Restore a"
                + " backup, or run 'daybook repair DIR --into NEW'.",
            details: ["sequence": String(commit.sequence)])
    }
}
