import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

/// A past version in trees of its own that moves to other sequences. Views of the sequences where
/// it was before stay valid.
///
/// Cost of a move: a read of the log between the two sequences; for a move back, also of the frames
/// that contain the preceding versions; and the rows of changed objects that have indexes.
struct PastCursor {
    let space: PageSpace
    private(set) var applied: AppliedState
    private let indexes: PastIndexes
    /// The segments that the trees point into.
    private var segments: [Segment]

    init(
        _ space: PageSpace, _ applied: AppliedState, _ indexes: PastIndexes, _ segments: [Segment]
    ) {
        self.space = space
        self.applied = applied
        self.indexes = indexes
        self.segments = segments
    }

    var sequence: UInt64 { applied.sequence }

    /// Whether its indexes are those of the newest layouts.
    func isCurrent(_ schema: Schema) -> Bool {
        indexes.schema.layouts.count == schema.layouts.count
    }

    /// Returns the version. It stays readable after compactions.
    func view(_ log: Log) -> ReadView {
        ReadView(space.pinVersion(), log, holding: segments, indexes: indexes)
    }

    /// Moves to another sequence. Returns false if that changes the indexes; the cursor is then
    /// unusable, as it is after an error.
    mutating func move(
        to sequence: UInt64, _ log: Log, _ logView: LogView, _ control: OperationControl
    ) throws(DaybookError) -> Bool {
        let known = Set(segments.map(\.number))
        segments += try logView.segments.filter { !known.contains($0.number) }
        if sequence > self.sequence { return try advance(to: sequence, log, logView, control) }
        var rewind = Rewind(moving: space, applied, log, logView, indexes.schema, control)
        guard try rewind.run(to: sequence, keeping: indexes) else { return false }
        applied = rewind.applied
        return true
    }

    private mutating func advance(
        to sequence: UInt64, _ log: Log, _ logView: LogView, _ control: OperationControl
    ) throws(DaybookError) -> Bool {
        var touched = TouchedObjects(applied)
        var transactions = LogTransactions(
            LogFrames(
                try log.scan(fromSequence: self.sequence + 1, in: logView), after: self.sequence,
                until: sequence),
            TransactionChanges())
        space.begin(sequence: space.publishedVersion.sequence + 1)
        while let transaction = try transactions.next(control) {
            guard transaction.contents.layouts.isEmpty else { return false }
            let changes = transaction.contents.changes
            try touched.note(changes, in: space.working)
            try applied.apply(changes, sequence: transaction.commit.sequence, to: space)
        }
        let catchUp = IndexCatchUp(log, space, indexes.schema, layouts: indexes.layouts)
        if catchUp.isDue(applied, touched) {
            _ = try catchUp.run(&applied, touched, isCancelled: control.isCancelled)
        }
        space.publish(space.end())
        return applied.sequence == sequence
    }
}
