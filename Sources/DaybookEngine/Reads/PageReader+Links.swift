import DaybookBytes
import DaybookRecords
import DaybookPages

// Links in the trees of one version.
extension PageReader {
    /// The ids at the other end of a relation that is not a list, ascending, from the first above
    /// `after`. Cost: a tree lookup, and a few ns per id.
    func links(
        of end: LinkEnd, after: UInt64, limit: Int
    ) throws(DaybookError) -> [UInt64] {
        var found: [UInt64] = []
        guard after < .max, limit > 0 else { return found }
        var cursor = try pairs(end.side.tree, from: (end.id, after + 1))
        while found.count < limit, let pair = try cursor.next(), pair.first == end.id {
            found.append(pair.second)
        }
        return found
    }

    /// The number of ids at the other end. Cost: as ``links(of:after:limit:)``.
    func linkCount(of end: LinkEnd) throws(DaybookError) -> Int {
        var count = 0
        var cursor = try pairs(end.side.tree, from: (end.id, 0))
        while let pair = try cursor.next(), pair.first == end.id { count += 1 }
        return count
    }

    func isLinked(
        _ relation: UInt32, _ source: UInt64, _ target: UInt64
    ) throws(DaybookError) -> Bool {
        try contains(IndexTree.links(of: relation), source, target)
    }

    /// The elements of a list, in order.
    func list(_ relation: UInt32, _ source: UInt64) throws(DaybookError) -> [ListElement] {
        let prefix = ListEntry.prefix(source)
        var cursor = try bytes(IndexTree.list(of: relation), from: prefix)
        var found: [ListElement] = []
        while let entry = try cursor.next(), entry.key.starts(with: prefix) {
            let position = Array(entry.key.dropFirst(prefix.count))
            try Self.check(position)
            found.append(ListElement(position: position, target: entry.value))
        }
        return found
    }

    /// The elements of lists that contain an object, ordered by the lists' sources.
    func listings(_ relation: UInt32, _ target: UInt64) throws(DaybookError) -> [ListEntry] {
        let prefix = ListEntry.prefix(target)
        var cursor = try bytes(IndexTree.listBacklinks(of: relation), from: prefix)
        var found: [ListEntry] = []
        while let entry = try cursor.next(), entry.key.starts(with: prefix) {
            let position = Array(entry.key.dropFirst(2 * ListEntry.prefixLength))
            try Self.check(position)
            found.append(
                ListEntry(
                    relation: relation, source: entry.value, target: target, position: position))
        }
        return found
    }

    /// Throws for a position that no record can have: only a forged snapshot contains one.
    static func check(_ position: [UInt8]) throws(DaybookError) {
        if ListPosition.isValid(position) { return }
        throw DaybookError(
            .corruption, "The indexes are inconsistent: a list contains an invalid position.",
            details: ["snapshot": "pages"])
    }
}
