import DaybookBytes
import DaybookIndex
import DaybookPages

/// Walks the entries of an index that is kept in order whose keys are from `lower` on and below
/// `upper`, forwards or backwards.
struct IndexWalk {
    private let access: QueryAccess
    private let index: IndexPlan.Index
    private let lower: [UInt8]
    private let upper: [UInt8]?
    private let isDescending: Bool
    /// Where it stands; nil at first.
    private var cursor: ByteCursor?
    private var isMended = false
    /// How many entries were given.
    private var count = 0

    init(
        _ access: QueryAccess, _ index: IndexPlan.Index, from lower: [UInt8],
        before upper: [UInt8]?, isDescending: Bool
    ) {
        self.access = access
        self.index = index
        self.lower = lower
        self.upper = upper
        self.isDescending = isDescending
    }

    /// Appends up to `limit` ids, and returns how many; 0 only at the end.
    mutating func next(into ids: inout [UInt64], limit: Int) throws(DaybookError) -> Int {
        let start = ids.count
        try step { (walk, cursor) throws(DaybookError) -> Void in
            do throws(DaybookError) {
                try walk.read(&cursor, into: &ids, limit)
            } catch  where error.isDamagedSnapshot && ids.count > start {
                // These count; the next call meets the damage again.
            }
        }
        count += ids.count - start
        return ids.count - start
    }

    /// The next entry, or nil at the end.
    mutating func next() throws(DaybookError) -> (key: [UInt8], value: UInt64)? {
        let entry = try step {
            (walk, cursor) throws(DaybookError) -> (key: [UInt8], value: UInt64)? in
            try walk.isDescending ? cursor.previous() : cursor.next()
        }
        guard let entry, isDescending ? !entry.key.precedes(lower) : entry.key.precedes(upper)
        else { return nil }
        count += 1
        return entry
    }

    private func read(
        _ cursor: inout ByteCursor, into ids: inout [UInt64], _ limit: Int
    ) throws(DaybookError) {
        if isDescending {
            _ = try cursor.previous(valuesInto: &ids, limit: limit, notBelow: lower)
        } else {
            _ = try cursor.next(valuesInto: &ids, limit: limit, before: upper)
        }
    }

    /// Reads on from where the walk stands; where a page is damaged, in the mended trees.
    private mutating func step<Result>(
        _ body: (Self, inout ByteCursor) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        do throws(DaybookError) {
            var cursor = if let cursor { cursor } else { try start(try access.trees) }
            defer { self.cursor = cursor }
            return try body(self, &cursor)
        } catch  where error.isDamagedSnapshot && !isMended {
            isMended = true
            var cursor = try start(try access.mendedTrees(for: index, after: count))
            // The same entries stand there in the same order.
            var ids: [UInt64] = []
            var left = count
            while left > 0 {
                ids.removeAll(keepingCapacity: true)
                try read(&cursor, into: &ids, min(left, 4096))
                guard !ids.isEmpty else { break }
                left -= ids.count
            }
            defer { self.cursor = cursor }
            return try body(self, &cursor)
        }
    }

    private func start(_ reader: PageReader) throws(DaybookError) -> ByteCursor {
        guard isDescending else { return try reader.bytes(index.tree, from: lower) }
        guard let upper else {
            var cursor = try reader.bytes(index.tree)
            try cursor.seekToEnd()
            return cursor
        }
        return try reader.bytes(index.tree, from: upper)
    }
}

extension [UInt8] {
    /// Whether a key stands before another; each stands before none.
    fileprivate func precedes(_ other: [UInt8]?) -> Bool {
        other.map { lexicographicallyPrecedes($0) } ?? true
    }
}
