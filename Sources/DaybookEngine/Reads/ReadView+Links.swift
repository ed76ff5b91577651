package import DaybookBytes
import DaybookRecords
import DaybookPages

extension ReadView {
    /// The ids at the other end of a relation, ascending and unique, from the first above `after`.
    /// Cost: a tree lookup, and a few ns per id; a list reads all its elements.
    package func links(
        of end: LinkEnd, after: UInt64 = 0, limit: Int = .max
    ) throws(DaybookError) -> [UInt64] {
        guard end.isList else {
            return try reading { (reader) throws(DaybookError) in
                try reader.links(of: end, after: after, limit: limit)
            }
        }
        return try reading { (reader) throws(DaybookError) in
            let ids =
                end.isBackward
                ? try reader.listings(end.relation, end.id).map(\.source)
                : try reader.list(end.relation, end.id).map(\.target)
            return ids.distinct(after: after, limit: limit)
        }
    }

    /// The number of objects at the other end; for a list, the number of its elements. Cost: a few
    /// ns for each.
    package func linkCount(of end: LinkEnd) throws(DaybookError) -> Int {
        guard end.isList else {
            return try reading { (reader) throws(DaybookError) in
                try reader.linkCount(of: end)
            }
        }
        guard end.isBackward else { return try list(end.relation, end.id).count }
        return try links(of: end).count
    }

    /// The elements of a list, in order. Cost: O(elements).
    package func list(
        _ relation: UInt32, _ source: UInt64
    ) throws(DaybookError) -> [ListElement] {
        try reading { (reader) throws(DaybookError) in try reader.list(relation, source) }
    }
}

extension [UInt64] {
    /// The distinct ids above `after`, ascending.
    func distinct(after: UInt64, limit: Int) -> [UInt64] {
        Array(Set(filter { $0 > after }).sorted().prefix(Swift.max(0, limit)))
    }
}
