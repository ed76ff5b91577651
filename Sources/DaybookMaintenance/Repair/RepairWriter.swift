import DaybookBytes
import DaybookEngine
import DaybookLog
import DaybookRecords

/// The second pass over a damaged log: writes the intact records to a new store, with their
/// sequences.
struct RepairWriter {
    /// The metadata key that marks commits of which records may be missing.
    static let incompleteKey = "daybook.incomplete"

    private let survey: RepairSurvey
    private let keepsIncomplete: Bool
    private let schemas: SchemaTable
    /// All layouts that are known from the log and from snapshots.
    private let layouts: [UInt32: EntityLayout]
    private(set) var log: SealedSegmentWriter
    /// The transaction whose commit record was not written yet, and its time.
    private var open: (sequence: UInt64, timeMicroseconds: Int64)?
    /// The last written versions of the objects that lack versions.
    private var versions: [ObjectName: UInt64] = [:]
    private(set) var transactionCount = 0
    private(set) var undecodableRowCount = 0
    private(set) var lastTimeMicroseconds: Int64 = 0
    /// The highest transaction with a record that was left out.
    private(set) var lastLeftOut: UInt64 = 0

    init(
        _ survey: RepairSurvey, keepsIncomplete: Bool, _ schemas: SchemaTable,
        rescued: [EntityLayout], _ log: SealedSegmentWriter
    ) throws(DaybookError) {
        self.survey = survey
        self.keepsIncomplete = keepsIncomplete
        self.schemas = schemas
        self.log = log
        var layouts = survey.layouts
        for layout in rescued where layouts[layout.layoutID] == nil {
            layouts[layout.layoutID] = try layout.restartingMigration
        }
        self.layouts = layouts
    }

    /// The numbers of layouts that are lost.
    var lostLayouts: [UInt32] {
        guard let last = layouts.keys.max() else { return [] }
        return (1...last).filter { schemas.schema.layout($0) == nil }
    }

    mutating func write(
        _ salvage: LogSalvage, _ codec: PayloadCodec, _ control: OperationControl
    ) throws(DaybookError) {
        for (index, segment) in salvage.segments.enumerated() {
            control.progress(Double(index) / Double(salvage.segments.count))
            var scanner = SalvageScanner(segment, codec)
            while let part = try scanner.next() {
                try control.check()
                guard case .frame(let frame) = part, let records = try frame.salvagedRecords()
                else { continue }
                for (record, sequence) in records where sequence <= survey.end {
                    try write(record, of: sequence, in: frame)
                }
            }
        }
        try closeTransaction()
    }

    private mutating func write(
        _ record: Record, of sequence: UInt64, in frame: LogScanner.Frame
    ) throws(DaybookError) {
        let isIncomplete = survey.findings.incomplete.contains(sequence)
        guard keepsIncomplete || !isIncomplete else { return }
        if let open, open.sequence != sequence { try closeTransaction() }
        let payload = frame.payload.span
        if record.kind == .commit {
            var commit = try CommitRecord(decoding: payload.extracting(record.body))
            if isIncomplete { commit.metadata[Self.incompleteKey] = "true" }
            return try end(commit)
        }
        open = (sequence, Int64(clamping: frame.header.timeMicroseconds))
        switch record.kind {
        case .put, .event:
            guard try isDecodable(record, payload) else { return leaveOut(sequence) }
        case .link, .unlink, .listInsert, .listRemove:
            guard schemas.relation(record.relation) != nil else { return leaveOut(sequence) }
        case .schema:
            let layout = try EntityLayout(decoding: payload.extracting(record.body))
            if try !hasLayout(layout.layoutID) { lastLeftOut = max(lastLeftOut, sequence) }
            return
        case .remove, .compacted, .erased, .commit: break
        }
        let previous = previous(of: record, sequence)
        try append(sequence) { records in
            let row = payload.extracting(record.row)
            switch record.kind {
            case .put where previous != record.previous:
                records.put(
                    entity: record.entity, id: record.id, previous: previous,
                    layout: record.layout, row: row)
            case .remove where previous != record.previous:
                records.remove(entity: record.entity, id: record.id, previous: previous)
            default: records.copy(record, of: payload)
            }
        }
    }

    private mutating func append(
        _ sequence: UInt64, _ write: (inout RecordWriter) -> Void
    ) throws(DaybookError) {
        let time = open?.timeMicroseconds ?? 0
        try log.append(to: sequence, timeMicroseconds: time) { write(&$0) }
    }

    private mutating func leaveOut(_ sequence: UInt64) {
        undecodableRowCount += 1
        lastLeftOut = max(lastLeftOut, sequence)
    }

    /// The version that a put or remove replaces in the new store: the original one, unless that is
    /// lost and an older one is there.
    private mutating func previous(of record: Record, _ sequence: UInt64) -> UInt64 {
        guard record.kind == .put || record.kind == .remove else { return record.previous }
        let name = ObjectName(record)
        guard survey.findings.interrupted.contains(name) else { return record.previous }
        let written = versions.updateValue(sequence, forKey: name)
        return survey.findings.isMissing(record.previous)
            ? written ?? record.previous : record.previous
    }

    /// Whether the layouts of a row are known. The fields are read only if any layout is lost.
    private mutating func isDecodable(
        _ record: Record, _ payload: Span<UInt8>
    ) throws(DaybookError) -> Bool {
        guard try hasLayout(record.layout) else { return false }
        guard layouts.count < Int(layouts.keys.max() ?? 0) else { return true }
        do throws(DaybookError) {
            let layout = try schemas.rowLayout(record.layout)
            try RowView.checkFields(
                payload.extracting(record.row), layout, layouts: schemas.rowLayout)
            return true
        } catch  where error.code == .corruption {
            return false
        }
    }

    /// Writes the layouts up to a number, as far as they are known. Returns whether all are.
    private mutating func hasLayout(_ number: UInt32) throws(DaybookError) -> Bool {
        while schemas.schema.nextLayoutID <= number {
            guard let layout = layouts[schemas.schema.nextLayoutID] else { return false }
            do throws(DaybookError) {
                try schemas.add([layout])
            } catch  where error.code == .corruption {
                return false
            }
            guard let open else { return true }
            try append(open.sequence) { $0.schema(layout) }
        }
        return true
    }

    /// Ends a transaction whose commit record is lost.
    private mutating func closeTransaction() throws(DaybookError) {
        guard let open else { return }
        let time = max(open.timeMicroseconds, lastTimeMicroseconds)
        try end(
            CommitRecord(
                sequence: open.sequence, timeMicroseconds: time,
                metadata: [Self.incompleteKey: "true"]))
    }

    private mutating func end(_ commit: CommitRecord) throws(DaybookError) {
        try log.commit(commit)
        lastTimeMicroseconds = max(lastTimeMicroseconds, commit.timeMicroseconds)
        transactionCount += 1
        open = nil
    }

    mutating func finish() throws(DaybookError) { try log.finish() }
}
