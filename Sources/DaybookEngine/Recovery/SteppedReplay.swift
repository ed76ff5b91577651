package import DaybookBytes
package import DaybookRecords
package import DaybookLog
package import DaybookPages

/// A replay of a log from its beginning that stops at one sequence after another.
package struct SteppedReplay {
    package let space = PageSpace()
    private let log: Log
    private let control: OperationControl
    private let progress: LogProgress
    private var replay = Replay(schema: Schema())
    private var stamp: UInt64 = 0
    /// The segments that the trees point into; a reader of the trees must retain them.
    private(set) var segments: [Segment] = []

    package init(_ log: Log, _ control: OperationControl, keepsIndexes: Bool = true) {
        self.log = log
        self.control = control
        progress = LogProgress(log)
        replay.keepsIndexes = keepsIndexes
    }

    package var schema: Schema { replay.schema }

    var applied: AppliedState { replay.applied }

    /// The last transaction that was replayed.
    package var sequence: UInt64 { replay.applied.sequence }

    /// Builds indexes of the objects in the current state of the replay.
    mutating func build(_ indexes: PastIndexes) throws(DaybookError) {
        try replay.buildIndexes(
            indexes, log, in: space, stamp: &stamp, isCancelled: control.isCancelled)
    }

    /// The replayed state.
    package var view: ReadView { ReadView(space.pinVersion(), log) }

    /// Replays one segment, which must follow the segments that were replayed before.
    package mutating func advance(over entry: SegmentEntry) throws(DaybookError) {
        let scanner = try log.scan(entry)
        try replay.run(
            scanner, of: log, after: 0, into: space, stamp: &stamp,
            isCancelled: control.isCancelled)
    }

    /// Replays up to a sequence, which must not be before the last replayed one.
    package mutating func advance(to last: UInt64) throws(DaybookError) {
        let scanner = try log.scan(fromSequence: sequence + 1)
        segments += scanner.segments
        let (control, progress) = (control, progress)
        try replay.run(
            scanner, of: log, after: sequence, until: last, into: space, stamp: &stamp,
            isCancelled: control.isCancelled
        ) { control.progress(progress.fraction(at: $0)) }
    }
}
