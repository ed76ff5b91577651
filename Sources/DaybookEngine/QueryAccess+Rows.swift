package import DaybookBytes
import DaybookIndex
import DaybookPages

// Rows in place.
extension QueryAccess {
    /// Gives each living object's row to `body`, in the order of ids, until that returns false.
    package func scan(
        _ entity: UInt32, ids: ClosedRange<UInt64> = 0...UInt64.max, inOrder: Bool = true,
        _ body: (_ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64) throws -> Bool
    ) throws {
        if let view {
            var scan = try RowScan(view, view.log, entity, from: ids.lowerBound)
            while let row = try scan.next(), row.id <= ids.upperBound {
                if try !body(row.bytes, row.layout, row.id) { return }
            }
        } else if let transaction {
            let found = try transaction.ids(entity).filter { ids.contains($0) }
            try forEachRow(entity, found, body)
        }
    }

    /// Gives the rows of those of the objects that live to `body`, in the order of the ids, until
    /// that returns false.
    package func forEachRow(
        _ entity: UInt32, _ ids: [UInt64],
        _ body: (_ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64) throws -> Bool
    ) throws {
        for id in ids {
            guard let row = try row(entity, id) else { continue }
            if try !body(row.bytes, row.layout, row.id) { return }
        }
    }

    /// The rows of those of the objects that live, in the order of the ids.
    package func rows(_ entity: UInt32, _ ids: [UInt64]) throws(DaybookError) -> [StoredRow] {
        if let view { return try view.rows(entity, ids) }
        var rows: [StoredRow] = []
        for id in ids {
            if let row = try row(entity, id) { rows.append(row) }
        }
        return rows
    }
}
