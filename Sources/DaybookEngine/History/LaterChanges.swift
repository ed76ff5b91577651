import DaybookBytes
import DaybookRecords
import DaybookLog

/// What the transactions of a range did first to each thing that they changed: enough to tell how
/// it was before them.
struct LaterChanges {
    struct Object: Hashable {
        var entity: UInt32
        var id: UInt64
    }

    struct Link: Hashable {
        var relation: UInt32
        var source: UInt64
        var target: UInt64
    }

    /// The place of an element in a list.
    struct Place: Hashable {
        var relation: UInt32
        var source: UInt64
        var position: [UInt8]
    }

    /// The objects that were changed, with the transaction that wrote what was there before; 0 for
    /// none.
    private(set) var objects: [Object: UInt64] = [:]
    /// Whether each of the links was there before. A record of a link is written only where that
    /// changes something.
    private(set) var links: [Link: Bool] = [:]
    /// What stood before in each of the places; nil for nothing.
    private(set) var places: [Place: UInt64?] = [:]
    /// The layouts that were new.
    private(set) var layouts: Set<UInt32> = []

    /// Notes the records of the transactions of a range in a frame.
    mutating func note(
        _ frame: LogScanner.Frame, in range: ClosedRange<UInt64>
    ) throws(DaybookError) {
        for (record, sequence) in try Survivors.records(of: frame)
        where range.contains(sequence) {
            try note(record, frame.payload)
        }
    }

    private mutating func note(
        _ record: Record, _ payload: [UInt8]
    ) throws(DaybookError) {
        switch record.kind {
        case .put, .remove:
            let object = Object(entity: record.entity, id: record.id)
            if objects[object] == nil { objects[object] = record.previous }
        case .link, .unlink:
            let link = Link(
                relation: record.relation, source: record.source, target: record.target)
            if links[link] == nil { links[link] = record.kind == .unlink }
        case .listInsert, .listRemove:
            let entry = ListEntry(record, in: payload.span)
            let place = Place(
                relation: entry.relation, source: entry.source, position: entry.position)
            guard places[place] == nil else { return }
            places[place] = .some(record.kind == .listRemove ? entry.target : nil)
        case .schema:
            layouts.insert(
                try EntityLayout(decoding: payload.span.extracting(record.body)).layoutID)
        case .event, .commit, .compacted: break
        }
    }
}
