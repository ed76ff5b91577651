import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

/// Folds the log into page trees: from zero, or from where a snapshot stands.
struct Replay {
    var schema: Schema
    var fold = IndexFold()
    /// Whether the indexes of properties are kept, too.
    var keepsIndexes = true
    /// Whether indexes that need not be complete are left to the background.
    var leavesBuilding = false
    private(set) var changeCount = 0
    /// When the last folded transaction was committed.
    private(set) var lastTimeMicroseconds: UInt64
    private var touched = TouchedObjects(IndexFold())

    /// Goes on where a fold stands; with a schema alone, begins at zero.
    init(schema: Schema, fold: IndexFold = IndexFold(), lastTimeMicroseconds: UInt64 = 0) {
        self.schema = schema
        self.fold = fold
        self.lastTimeMicroseconds = lastTimeMicroseconds
    }

    /// Folds every transaction after `sequence`, reading from `position`, and publishes the result.
    /// `stamp` numbers the states of the trees. `isCancelled` is asked once a frame; `willPublish`
    /// gets the schema right before anybody can meet a row that needs it.
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

    /// Replays the frames of a scanner of `log`; `visit` is called with each frame.
    mutating func run(
        _ scanner: LogScanner, of log: Log, after sequence: UInt64,
        until last: UInt64 = .max, into space: PageSpace, stamp: inout UInt64,
        isCancelled: () -> Bool = { false },
        visit: (LogScanner.Frame) -> Void = { _ in },
        willPublish: (Schema) throws(DaybookError) -> Void = { _ in }
    ) throws(DaybookError) {
        touched = TouchedObjects(fold)
        var version: PageVersion?
        var transactions = LogTransactions(
            LogFrames(scanner, after: sequence, until: last), TransactionChanges())
        while let ended = try transactions.nextBatch(isCancelled: isCancelled, visit: visit) {
            version = try apply(ended, to: space, &stamp) ?? version
        }
        if keepsIndexes {
            version = try settleIndexes(log, space, &stamp, isCancelled) ?? version
        }
        guard let version else { return }
        try willPublish(schema)
        space.publish(version)
    }

    /// Applies the transactions that end in one frame.
    private mutating func apply(
        _ ended: [LogTransactions<TransactionChanges>.Transaction], to space: PageSpace,
        _ stamp: inout UInt64
    ) throws(DaybookError) -> PageVersion? {
        guard !ended.isEmpty else { return nil }
        stamp += 1
        space.begin(sequence: stamp)
        for transaction in ended {
            let (commit, changes) = (transaction.commit, transaction.contents.changes)
            guard commit.sequence > fold.sequence else { throw Self.outOfOrder(commit, fold) }
            for layout in transaction.contents.layouts { try schema.add(layout) }
            if keepsIndexes { try touched.note(changes, in: space.working) }
            try fold.apply(changes, sequence: commit.sequence, to: space)
            changeCount += changes.count
            lastTimeMicroseconds = max(
                lastTimeMicroseconds, UInt64(clamping: commit.timeMicroseconds))
        }
        return space.end()
    }

    /// The rows are read at the end of a run and not on the way: of an object that was changed
    /// often only two matter.
    private mutating func settleIndexes(
        _ log: Log, _ space: PageSpace, _ stamp: inout UInt64, _ isCancelled: () -> Bool
    ) throws(DaybookError) -> PageVersion? {
        let settlement = IndexSettlement(
            log, space, schema, leavesBuilding: leavesBuilding)
        guard settlement.isDue(fold, touched) else { return nil }
        stamp += 1
        space.begin(sequence: stamp)
        changeCount += try settlement.run(&fold, touched, isCancelled: isCancelled)
        touched = TouchedObjects(fold)
        return space.end()
    }

    /// Builds the indexes that layouts ask for over what was folded, and publishes the result.
    mutating func buildIndexes(
        _ indexes: PastIndexes, _ log: Log, in space: PageSpace, stamp: inout UInt64,
        isCancelled: () -> Bool = { false }
    ) throws(DaybookError) {
        guard !indexes.layouts.isEmpty else { return }
        let settlement = IndexSettlement(
            log, space, indexes.schema, layouts: indexes.layouts)
        stamp += 1
        space.begin(sequence: stamp)
        _ = try settlement.run(&fold, TouchedObjects(fold), isCancelled: isCancelled)
        space.publish(space.end())
    }

    private static func outOfOrder(_ commit: CommitRecord, _ fold: IndexFold) -> DaybookError {
        DaybookError(
            .corruption,
            "The log has sequence \(commit.sequence) after \(fold.sequence). Restore the store from"
                + " a backup.",
            details: ["sequence": String(commit.sequence)])
    }
}
