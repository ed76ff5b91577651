import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Objects encoded as rows, to put on another thread. The objects themselves stay in the caller's
/// isolation.
struct EncodedObjects: Sendable {
    private struct Row: Sendable {
        var id: Id
        var bytes: Range<Int>
        /// The index of an earlier row of the same new object of a class.
        var twin: Int?
    }

    private let binding: EntityBinding
    private var rows: [Row] = []
    private var bytes = ByteWriter()

    /// - Parameter previous: the rows that are replaced, if the type needs them. Reading them here
    ///   would block the caller.
    init<E: Entity>(
        _ objects: some Collection<E>, _ binding: EntityBinding, _ types: StoreTypes,
        replacing previous: [StoredRow?] = []
    ) throws {
        self.binding = binding
        rows.reserveCapacity(objects.count)
        var seen: [ObjectIdentifier: Int] = [:]
        var writer = RowWriter(binding.layout, types)
        for object in objects {
            let replaced = rows.count < previous.count ? previous[rows.count] : nil
            try binding.write(
                object, replacing: replaced.map { PreviousRow(binding, read: $0) }, to: &writer)
            let start = bytes.count
            bytes.append(writer.encoder.row)
            var row = Row(id: object.entityId, bytes: start..<bytes.count, twin: nil)
            if row.id == 0, let key = ObjectIdentifier(instance: object) {
                row.twin = seen[key]
                if row.twin == nil { seen[key] = rows.count }
            }
            rows.append(row)
        }
    }

    /// The ids of the objects in order; 0 for new ones without an id.
    var ids: [Id] { rows.map { $0.twin.map { rows[$0].id } ?? $0.id } }

    /// Gives ids to the new objects. `reserve` returns as many ids as it is asked for.
    mutating func assignIds(_ reserve: (Int) throws -> Range<Id>) rethrows {
        let new = rows.indices.filter { rows[$0].id == 0 && rows[$0].twin == nil }
        guard !new.isEmpty else { return }
        for (index, id) in zip(new, try reserve(new.count)) { rows[index].id = id }
    }

    /// Puts all objects, and returns their ids in order, and their counts.
    func put(
        in transaction: WriteTransaction, _ options: PutOptions
    ) throws(DaybookError) -> PutResult {
        let options = binding.completed(options)
        var result = PutResult()
        result.ids.reserveCapacity(rows.count)
        for row in rows {
            let id = row.twin.map { result.ids[$0] } ?? row.id
            let outcome = try transaction.changes.put(
                binding.entity, id, layout: binding.layoutID,
                row: bytes.span.extracting(row.bytes), options, counting: &result.counts)
            result.ids.append(outcome.id)
        }
        return result
    }
}
