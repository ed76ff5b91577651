import DaybookBytes
import DaybookLog
import DaybookPages
import DaybookRecords

/// A running compaction of consecutive segments, from the oldest to the newest.
struct CompactionRun {
    private(set) var filter: LiveRecordFilter
    /// The segments that are not rewritten yet.
    private(set) var rest: ArraySlice<SegmentEntry>
    /// The last commit of the segments.
    let lastSequence: UInt64
    let policy: HistoryPolicy
    /// Whether a record in the log notes the compaction.
    var isNoted = false
    private let control: OperationControl
    private let totalBytes: Int
    private var doneBytes = 0
    /// The tombstones that were dropped since ``takeForgotten()``.
    private var forgotten: [Engine.Forgotten] = []

    /// The part of the progress that the survey takes, if it reads the log.
    private static let surveyFraction = 0.3

    /// Surveys the segments: pins the newest state, and counts the records that the decisions need.
    ///
    /// Cost: none for `.all`; the links for `.latest`; else a read of the segments up to the floor.
    /// Throws `.invalidArgument` for an unknown entity, `.interrupted`, `.corruption`.
    init(
        _ inputs: [SegmentEntry], _ policy: HistoryPolicy, _ engine: Engine,
        _ control: OperationControl
    ) throws(DaybookError) {
        rest = inputs[...]
        lastSequence = inputs.last?.lastSequence ?? 0
        self.policy = policy
        totalBytes = max(1, inputs.reduce(0) { $0 + $1.length })
        let newest = try engine.pinNewest(including: lastSequence)
        let rules = try RetentionRules(
            policy, newest: try newest.sequence, engine.schemas.schema
        ) { name throws(DaybookError) in try engine.entityNumber(name) }
        var survey = try RecordSurvey(rules, newest)
        let counted = inputs.filter { $0.firstSequence <= survey.countedFloor }
        let first = control.stage(0, Self.surveyFraction)
        for (index, entry) in counted.enumerated() {
            first.progress(Double(index) / Double(counted.count))
            var scanner = try engine.log.scan(entry)
            while let frame = try scanner.next() {
                try control.check()
                try newest.withTrees { trees throws(DaybookError) in
                    try survey.note(frame, trees)
                }
            }
        }
        filter = LiveRecordFilter(survey, lastSequence: lastSequence)
        self.control = counted.isEmpty ? control : control.stage(Self.surveyFraction, 1)
    }

    /// The sequence below which the history may have gaps afterwards; 0 if all records are kept.
    var floor: UInt64 { filter.survey.rules.floor }

    /// Whether some records may be dropped.
    var canDropRecords: Bool { filter.survey.canDropRecords }

    /// Prepares the decisions for a step that uses `newest`, the newest state. Cost: none if all
    /// records are kept; else a read of the commits since the last step.
    mutating func beginStep(_ newest: ReadView, _ log: Log) throws(DaybookError) {
        guard floor > 0 else { return }
        try filter.noteChanges(until: try newest.sequence, in: log)
    }

    /// Passes the records of the first remaining segment that are kept to `keep`, frame by frame,
    /// and returns the report of the segment. `newest` is the state of the step.
    mutating func rewriteFirst(
        _ entry: SegmentEntry, _ log: Log, _ newest: ReadView,
        keep: (LiveRecordFilter.Verdict, LogScanner.Frame) throws(DaybookError) -> Void
    ) throws(DaybookError) -> CompactionReport.SegmentReport {
        var line = CompactionReport.SegmentReport(entry)
        var scanner = try log.scan(entry)
        while let frame = try scanner.next() {
            try control.check()
            let verdict = try newest.withTrees { trees throws(DaybookError) in
                try filter.decide(frame, trees)
            }
            forgotten += verdict.forgotten
            line.add(verdict)
            try keep(verdict, frame)
            control.progress(Double(doneBytes + frame.offset) / Double(totalBytes))
        }
        doneBytes += entry.length
        rest.removeFirst()
        line.explain(policy, floor: floor, entry)
        return line
    }

    /// Returns the tombstones that were dropped since the last call.
    mutating func takeForgotten() -> [Engine.Forgotten] {
        defer { forgotten = [] }
        return forgotten
    }
}
