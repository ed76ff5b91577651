import DaybookBytes
import DaybookEngine
import DaybookLog
import DaybookRecords

/// The first pass over a damaged log: which transactions are lost or incomplete, and where the log
/// ends.
///
/// The end follows the torn-tail rule of every opening: damage after the last transaction that was
/// known to be durable is the torn write of commits that never returned, and no loss.
struct RepairSurvey {
    private(set) var findings = RepairFindings()
    /// The last transaction that the new store takes over.
    private(set) var end: UInt64 = 0
    /// All intact layouts by their numbers, each at the beginning of its migration. A layout whose
    /// progress is not a number is not intact.
    private(set) var layouts: [UInt32: EntityLayout] = [:]
    /// The history floor of the newest compaction in the log.
    private(set) var historyFloor: UInt64 = 0
    /// Findings that are no losses.
    private(set) var notes: [String] = []
    /// The highest sequence that was durable.
    private(set) var claim: UInt64
    private let codec: PayloadCodec
    /// The findings before the first damage of the last segment.
    private var beforeTail: RepairFindings?

    /// Reads all segments. Throws `.formatTooNew`, `.interrupted`.
    init(
        _ salvage: LogSalvage, _ codec: PayloadCodec, claim: UInt64, _ control: OperationControl
    ) throws(DaybookError) {
        self.codec = codec
        self.claim = max(claim, salvage.durableClaim)
        historyFloor = salvage.manifest?.historyFloor ?? 0
        var unnamed: [(file: String, range: ClosedRange<UInt64>)] = []
        for (index, segment) in salvage.segments.enumerated() {
            control.progress(Double(index) / Double(salvage.segments.count))
            if salvage.manifest == nil, segment.firstSequence > findings.last + 1 {
                unnamed.append((segment.file, (findings.last + 1)...(segment.firstSequence - 1)))
            }
            let following = salvage.segments.dropFirst(index + 1).first?.firstSequence
            try read(segment, before: following, control)
        }
        // Without a manifest, a gap between segments is normal if a compaction dropped history.
        for (file, range) in unnamed where range.upperBound > historyFloor {
            findings.note(file, 0..<0, lost: range, "a segment before this one is missing")
        }
    }

    private mutating func read(
        _ segment: SalvagedSegment, before following: UInt64?, _ control: OperationControl
    ) throws(DaybookError) {
        if let damage = segment.damage, segment.limit > 0 {
            findings.note(
                segment.file, 0..<min(segment.limit, segment.headerLength), damage)
        }
        var scanner = SalvageScanner(segment, codec)
        var gap: SalvageScanner.Gap?
        while let part = try scanner.next() {
            try control.check()
            switch part {
            case .gap(let found):
                claim = max(claim, found.headers.map(\.durableSequence).max() ?? 0)
                note(found, of: segment, &gap)
            case .frame(let frame):
                claim = max(claim, frame.header.durableSequence)
                guard let records = try frame.salvagedRecords() else {
                    let bytes = frame.offset..<frame.end
                    var found = SalvageScanner.Gap(bytes: bytes, reason: "its records are damaged")
                    found.lastHeader = frame.header
                    note(found, of: segment, &gap)
                    continue
                }
                settle(gap, before: frame, segment)
                gap = nil
                findings.last = frame.header.lastSequence
                findings.isOpen = !frame.header.endsTransaction
                try note(records, of: frame)
            }
        }
        if segment.isLast {
            finishLast(segment, gap)
        } else {
            finishSealed(segment, gap, following)
        }
    }

    private mutating func note(
        _ found: SalvageScanner.Gap, of segment: SalvagedSegment, _ gap: inout SalvageScanner.Gap?
    ) {
        guard found.hasRecords else {
            return findings.note(segment.file, found.bytes, found.reason)
        }
        if segment.isLast, beforeTail == nil { beforeTail = findings }
        if gap == nil { gap = found } else { gap?.extend(by: found) }
    }

    /// Determines the transactions that a gap before a frame affects.
    private mutating func settle(
        _ gap: SalvageScanner.Gap?, before frame: LogScanner.Frame, _ segment: SalvagedSegment
    ) {
        let first = frame.header.firstSequence
        var incomplete: Set<UInt64> = []
        if findings.isOpen, gap != nil || first != findings.last {
            incomplete.insert(findings.last)
        }
        guard let gap else {
            guard !incomplete.isEmpty else { return }
            return findings.note(
                segment.file, frame.offset..<frame.offset, incomplete: incomplete,
                "the end of a transaction is missing")
        }
        if gap.mayContainBeginning(of: first) { incomplete.insert(first) }
        var low = max(findings.last + 1, segment.firstSequence)
        var high = first - 1
        if let known = gap.knownSequences {
            low = max(low, known.lowerBound)
            high = min(high, known.upperBound)
        }
        findings.note(
            segment.file, gap.bytes, lost: low <= high ? low...high : nil, incomplete: incomplete,
            gap.reason)
    }

    private mutating func note(
        _ records: [(record: Record, sequence: UInt64)], of frame: LogScanner.Frame
    ) throws(DaybookError) {
        for (record, _) in records {
            switch record.kind {
            case .put, .remove:
                if record.previous > 0, findings.isMissing(record.previous) {
                    findings.interrupted.insert(ObjectName(record))
                }
            case .schema:
                let body = frame.payload.span.extracting(record.body)
                let layout = try EntityLayout(decoding: body)
                // The rows of any step of a migration may be lost. An object with a row of the new
                // layout is not converted again.
                if let layout = try? layout.restartingMigration {
                    layouts[layout.layoutID] = layout
                }
            case .compacted:
                let body = frame.payload.span.extracting(record.body)
                let compacted = try CompactedRecord(decoding: body)
                historyFloor = max(historyFloor, compacted.historyFloor)
            default: break
            }
        }
    }

    /// Determines the losses at the end of a sealed segment.
    private mutating func finishSealed(
        _ segment: SalvagedSegment, _ gap: SalvageScanner.Gap?, _ following: UInt64?
    ) {
        let last = segment.lastSequence ?? max(1, following ?? 1) - 1
        let low = max(findings.last + 1, segment.firstSequence)
        let lost = low <= last ? low...last : nil
        let incomplete: Set<UInt64> = findings.isOpen ? [findings.last] : []
        findings.isOpen = false
        if let gap {
            let isSeal = lost == nil && incomplete.isEmpty
            findings.note(
                segment.file, gap.bytes, lost: lost, incomplete: incomplete,
                isSeal ? "its seal frame is damaged" : gap.reason)
        } else if lost != nil || !incomplete.isEmpty {
            findings.note(
                segment.file, segment.limit..<max(segment.limit, segment.length ?? 0), lost: lost,
                incomplete: incomplete,
                segment.limit == 0 ? segment.damage ?? "it is empty" : "its end is missing")
        }
        findings.last = max(findings.last, last)
    }

    /// Determines the end of the log, and the losses before it.
    private mutating func finishLast(_ segment: SalvagedSegment, _ gap: SalvageScanner.Gap?) {
        if let beforeTail, claim <= beforeTail.lastComplete {
            findings = beforeTail
            findings.isOpen = false
            end = beforeTail.lastComplete
            notes.append(
                "\(segment.file) has bytes after the commit \(end) that no opening would use: a"
                    + " torn write of commits that were not known to be durable")
            return
        }
        end = findings.last
        var incomplete: Set<UInt64> = []
        if findings.isOpen {
            // Without a claim, the transaction was never committed.
            if claim >= findings.last { incomplete.insert(findings.last) } else { end -= 1 }
            findings.isOpen = false
        }
        let isMissing = segment.damage != nil && segment.limit < segment.headerLength
        let low = max(findings.last + 1, segment.firstSequence)
        let high = isMissing ? max(claim, segment.firstSequence) : claim
        let lost = low <= high ? low...high : nil
        guard lost != nil || !incomplete.isEmpty else { return }
        let bytes = gap?.bytes ?? segment.limit..<max(segment.limit, segment.length ?? 0)
        findings.note(
            segment.file, bytes, lost: lost, incomplete: incomplete,
            isMissing ? segment.damage ?? "" : gap?.reason ?? "its end is missing")
    }
}
