import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

/// A past version in trees of its own that moves to other sequences, or is the start of a cursor at
/// another sequence. Views of the sequences where it was before stay valid.
///
/// Cost of a move: a read of the log between the two sequences; for a move back, also of the frames
/// that contain the preceding versions, unless another cursor contains their locations; and the
/// rows of changed objects that have indexes.
struct PastCursor {
    private let space: PageSpace
    /// The version in the space.
    let pin: VersionPin
    private(set) var applied: AppliedState
    private let indexes: PastIndexes
    /// The segments that the trees point into.
    private var segments: [Segment]
    /// The bytes of the pages of its space, and of the spaces that this one is a fork of and
    /// retains.
    private(set) var ownBytes: [ObjectIdentifier: Int]

    /// - Parameter segments: the segments that the trees point into.
    init(
        _ space: PageSpace, _ applied: AppliedState, _ indexes: PastIndexes, _ segments: [Segment]
    ) {
        self.init(space, applied, indexes, segments, forkOf: [:])
    }

    private init(
        _ space: PageSpace, _ applied: AppliedState, _ indexes: PastIndexes, _ segments: [Segment],
        forkOf ownBytes: [ObjectIdentifier: Int]
    ) {
        self.space = space
        self.applied = applied
        self.indexes = indexes
        self.segments = segments
        self.ownBytes = ownBytes
        pin = space.pinVersion()
        self.ownBytes[ObjectIdentifier(space)] = space.ownByteCount
    }

    var sequence: UInt64 { applied.sequence }

    /// The key of its space in ``ownBytes``.
    var spaceIdentity: ObjectIdentifier { ObjectIdentifier(space) }

    /// Whether its indexes are those of the newest layouts.
    func isCurrent(_ schema: Schema) -> Bool {
        indexes.schema.layouts.count == schema.layouts.count
    }

    /// Whether its indexes are those of the same layouts as the indexes of another cursor.
    func hasIndexes(of other: PastCursor) -> Bool { isCurrent(other.indexes.schema) }

    /// Returns the version. It stays readable after compactions.
    func view(_ log: Log) -> ReadView {
        ReadView(pin, log, holding: segments, indexes: indexes)
    }

    /// Returns the cursor at another sequence; nil if the indexes are different there. The cursor
    /// itself must not be used afterwards, even after an error. A fork of it is independent.
    ///
    /// - Parameter other: another cursor, which may contain preceding versions.
    func moved(
        to sequence: UInt64, _ log: Log, _ logView: LogView, near other: PastCursor?,
        _ control: OperationControl
    ) throws(DaybookError) -> PastCursor? {
        var next = self
        try next.retain(logView.segments)
        if sequence > self.sequence {
            guard try next.advance(to: sequence, log, logView, control) else { return nil }
        } else {
            if let other { next.retain(other.segments) }
            var rewind = Rewind(
                moving: space, applied, log, logView, indexes.schema, near: other?.pin, control)
            guard try rewind.run(to: sequence, keeping: indexes) else { return nil }
            next.applied = rewind.applied
        }
        return PastCursor(space, next.applied, indexes, next.segments, forkOf: ownBytes)
    }

    /// Returns a copy whose moves do not change this cursor.
    func fork() -> PastCursor {
        PastCursor(PageSpace.fork(of: pin.hold()), applied, indexes, segments, forkOf: ownBytes)
    }

    /// The same cursor, with the segments of another one from which it has locations.
    func retaining(_ other: PastCursor?) -> PastCursor {
        var result = self
        if let other { result.retain(other.segments) }
        return result
    }

    private mutating func retain(_ more: [Segment]) {
        let known = Set(segments.map(\.number))
        segments += more.filter { !known.contains($0.number) }
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
