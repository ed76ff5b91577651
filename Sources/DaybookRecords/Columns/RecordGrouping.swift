import DaybookBytes

/// Divides the records of a payload into groups of the same shape. Every number has only one
/// encoding, so the records can be restored byte for byte. Rows that do not match their layout stay
/// uninterpreted.
struct RecordGrouping {
    private(set) var groups: [RecordGroup] = []
    /// The group of each record.
    private(set) var sequence: [Int64] = []
    /// The length of each record in the payload.
    private(set) var recordLengths: [Int64] = []

    private let layouts: [RowLayout]
    private var groupIndexes: [UInt64: Int] = [:]
    private var lastKey: UInt64 = .max
    private var lastIndex = 0

    init(layouts: [RowLayout]) { self.layouts = layouts }

    /// Adds all records. Throws errors of reading them, and `.invalidValue` for a record that
    /// starts beyond the limit of the reader.
    mutating func add(_ payload: Span<UInt8>) throws(DaybookError) {
        var offset = 0
        while offset < payload.count {
            var body = offset
            let end = try Record.recordEnd(in: payload, &body)
            guard offset < TranspositionFormat.recordStartMax || end == payload.count else {
                throw DaybookError(.invalidValue, "A record starts too far into its payload.")
            }
            let record = try Record.parse(payload, from: offset, body: body, end: end)
            add(record, payload, body: body, end: end)
            recordLengths.append(Int64(end - offset))
            offset = end
        }
    }

    private mutating func add(_ record: Record?, _ payload: Span<UInt8>, body: Int, end: Int) {
        if let record {
            switch record.kind {
            case .put:
                if let rest = row(record, payload) {
                    let group = self.group(payload[body], numberCount: 4, rest)
                    groups[group].numbers.append(Int64(record.entity))
                    groups[group].numbers.append(Int64(bitPattern: record.id))
                    groups[group].numbers.append(Int64(bitPattern: record.previous))
                    groups[group].numbers.append(Int64(record.layout))
                    groups[group].append(record.row.lowerBound, end)
                    return
                }
            case .event:
                if let rest = row(record, payload) {
                    let group = self.group(payload[body], numberCount: 3, rest)
                    groups[group].numbers.append(Int64(record.entity))
                    groups[group].numbers.append(Int64(bitPattern: record.id))
                    groups[group].numbers.append(Int64(record.layout))
                    groups[group].append(record.row.lowerBound, end)
                    return
                }
            case .remove:
                let group = self.group(payload[body], numberCount: 3, .nothing)
                groups[group].numbers.append(Int64(record.entity))
                groups[group].numbers.append(Int64(bitPattern: record.id))
                groups[group].numbers.append(Int64(bitPattern: record.previous))
                groups[group].append(end, end)
                return
            case .link, .unlink:
                let group = self.group(payload[body], numberCount: 3, .nothing)
                groups[group].numbers.append(Int64(record.relation))
                groups[group].numbers.append(Int64(bitPattern: record.source))
                groups[group].numbers.append(Int64(bitPattern: record.target))
                groups[group].append(end, end)
                return
            case .listInsert, .listRemove:
                let group = self.group(payload[body], numberCount: 3, .tail)
                groups[group].numbers.append(Int64(record.relation))
                groups[group].numbers.append(Int64(bitPattern: record.source))
                groups[group].numbers.append(Int64(bitPattern: record.target))
                groups[group].append(record.position.lowerBound, end)
                return
            case .commit:
                if addCommit(record, payload) { return }
            case .schema, .compacted, .erased: break
            }
        }
        let group = self.group(payload[body], numberCount: 0, .tail)
        groups[group].append(body + 1, end)
    }

    /// A commit starts with its sequence and time; its metadata is the tail.
    private mutating func addCommit(_ record: Record, _ payload: Span<UInt8>) -> Bool {
        var reader = ByteReader(payload.extracting(record.body))
        guard let sequence = try? reader.varint(), let time = try? reader.varint() else {
            return false
        }
        let group = self.group(Record.Kind.commit.rawValue, numberCount: 2, .tail)
        groups[group].numbers.append(Int64(bitPattern: sequence))
        groups[group].numbers.append(Int64(bitPattern: time))
        groups[group].append(record.body.lowerBound + reader.offset, record.end)
        return true
    }

    /// The shape of a row; nil if its layout is unknown or the row does not match it.
    private func row(_ record: Record, _ payload: Span<UInt8>) -> RecordGroup.Rest? {
        let index = Int(record.layout) - 1
        guard index < layouts.count else { return nil }
        guard layouts[index].isRow(payload.extracting(record.row)) else { return nil }
        return .row(layout: index, header: payload[record.row.lowerBound])
    }

    private mutating func group(
        _ kind: UInt8, numberCount: Int, _ rest: RecordGroup.Rest
    ) -> Int {
        var key = UInt64(kind) << 56 | UInt64(numberCount) << 52
        switch rest {
        case .nothing: key |= 1 << 48
        case .tail: key |= 2 << 48
        case .row(let layout, let header): key |= 3 << 48 | UInt64(header) << 32 | UInt64(layout)
        }
        if key != lastKey {
            lastKey = key
            if let known = groupIndexes[key] {
                lastIndex = known
            } else {
                lastIndex = groups.count
                groupIndexes[key] = lastIndex
                groups.append(RecordGroup(kind: kind, numberCount: numberCount, rest: rest))
            }
        }
        sequence.append(Int64(lastIndex))
        return lastIndex
    }
}
