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
    private var collector = TransactionCollector()
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
        var scanner = try log.scan(from: position)
        try run(
            &scanner, of: log, after: sequence, until: last, into: space, stamp: &stamp,
            isCancelled: isCancelled, willPublish: willPublish)
    }

    /// Folds what a scanner of `log` gives; `progress` hears of each frame.
    mutating func run(
        _ scanner: inout LogScanner, of log: Log, after sequence: UInt64,
        until last: UInt64 = .max, into space: PageSpace, stamp: inout UInt64,
        isCancelled: () -> Bool = { false },
        progress: (LogScanner.Frame) -> Void = { _ in },
        willPublish: (Schema) throws(DaybookError) -> Void = { _ in }
    ) throws(DaybookError) {
        // What an earlier run had begun to gather stands in a frame that this one reads again.
        collector = TransactionCollector()
        touched = TouchedObjects(fold)
        var version: PageVersion?
        while let frame = try scanner.next(), frame.header.firstSequence <= last {
            if isCancelled() { throw .interrupted }
            progress(frame)
            if frame.header.lastSequence <= sequence { continue }
            version = try apply(frame, after: sequence, until: last, space, &stamp) ?? version
        }
        if keepsIndexes {
            version = try settleIndexes(log, space, &stamp, isCancelled) ?? version
        }
        guard let version else { return }
        try willPublish(schema)
        space.publish(version)
    }

    /// Folds the transactions that end in one frame.
    private mutating func apply(
        _ frame: LogScanner.Frame, after sequence: UInt64, until last: UInt64, _ space: PageSpace,
        _ stamp: inout UInt64
    ) throws(DaybookError) -> PageVersion? {
        var ended: [TransactionCollector.Transaction] = []
        try collector.read(
            frame.payload.span,
            location: { offset throws(DaybookError) in
                try frame.location(recordOffset: offset).rawValue
            },
            each: { transaction throws(DaybookError) in ended.append(transaction) })
        guard !ended.isEmpty else { return nil }
        stamp += 1
        space.begin(sequence: stamp)
        for transaction in ended {
            let commit = transaction.commit
            guard commit.sequence > sequence, commit.sequence <= last else { continue }
            guard commit.sequence > fold.sequence else { throw Self.outOfOrder(commit, fold) }
            for layout in transaction.layouts { try schema.add(layout) }
            if keepsIndexes { try touched.note(transaction.changes, in: space.working) }
            try fold.apply(transaction.changes, sequence: commit.sequence, to: space)
            changeCount += transaction.changes.count
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
