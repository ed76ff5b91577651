import DaybookBytes
import DaybookLog
package import DaybookRecords

/// A commit with the number of its changes.
package struct CommitCounts: Sendable {
    /// A kind of changes of an entity or of a relation.
    package struct Key: Sendable, Hashable {
        package var kind: ChangeKind
        package var entity: UInt32
    }

    package let commit: CommitRecord
    /// The numbers of changed objects and of events, by kind and entity.
    package let objects: [Key: Int]
    /// The numbers of added links by relation.
    package let links: [UInt32: Int]
    /// The numbers of removed links by relation.
    package let unlinks: [UInt32: Int]
}

/// Counts the accepted records of a transaction. Memory: a few bytes for each entity and relation,
/// whatever the size of the transaction.
struct CountedRecords: TransactionContents {
    private(set) var objects: [CommitCounts.Key: Int] = [:]
    private(set) var links: [UInt32: Int] = [:]
    private(set) var unlinks: [UInt32: Int] = [:]
    private let filter: RecordFilter

    init(_ filter: RecordFilter) { self.filter = filter }

    mutating func add(_ record: Record, of frame: borrowing LogScanner.Frame) {
        guard filter.accepts(record) else { return }
        switch record.kind {
        case .put: count(record.previous == 0 ? .insert : .update, record)
        case .remove: count(.remove, record)
        case .event: count(.event, record)
        case .link, .listInsert: links[record.relation, default: 0] += 1
        case .unlink, .listRemove: unlinks[record.relation, default: 0] += 1
        case .schema, .commit, .compacted, .erased: break
        }
    }

    private mutating func count(_ kind: ChangeKind, _ record: Record) {
        objects[CommitCounts.Key(kind: kind, entity: record.entity), default: 0] += 1
    }

    func emptied() -> CountedRecords { CountedRecords(filter) }

    var isEmpty: Bool { objects.isEmpty && links.isEmpty && unlinks.isEmpty }
}
