import DaybookBytes
import DaybookRecords
import DaybookLog

/// The first change that a range of transactions made to each object, link and list position. It
/// determines the state before the range.
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

    /// The position of an element in a list.
    struct Place: Hashable {
        var relation: UInt32
        var source: UInt64
        var position: [UInt8]
    }

    /// The changed objects, each with the transaction that wrote its preceding version; 0 if there
    /// is none.
    private(set) var objects: [Object: UInt64] = [:]
    /// Whether each changed link existed before. Link records are only written for actual changes.
    private(set) var links: [Link: Bool] = [:]
    /// The preceding target at each changed list position; nil if there was none.
    private(set) var places: [Place: UInt64?] = [:]
    /// The layouts that the transactions defined.
    private(set) var layouts: Set<UInt32> = []

    /// Adds the change of a record of the transactions.
    mutating func add(_ found: LogRecord) throws(DaybookError) {
        let (record, payload) = (found.record, found.payload)
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
        case .event, .commit, .compacted, .erased: break
        }
    }
}
