import DaybookBytes
import DaybookRecords
import DaybookPages

/// Iterates over the entries of an ordered index with keys in `lower..<upper`, forwards or
/// backwards.
struct IndexCursor {
    private let access: QueryAccess
    private let index: IndexPlan.Index
    private let lower: [UInt8]
    private let upper: [UInt8]?
    private let isDescending: Bool
    /// The position in the tree; nil at first.
    private var cursor: ByteCursor?
    /// Keeps the memory of the cursor's pages.
    private var held: HeldTrees?
    /// The number of calls since.
    private var stepCount = 0
    private var isMended = false
    /// The number of entries that were returned.
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

    /// Appends up to `limit` ids and returns their number; 0 only at the end. If a page is damaged,
    /// continues in the rebuilt trees.
    mutating func next(into ids: inout [UInt64], limit: Int) throws(DaybookError) -> Int {
        let start = ids.count
        do throws(DaybookError) {
            try prepare()
            try read(into: &ids, limit)
        } catch  where error.isDamagedSnapshot && ids.count > start {
            // Returns these ids; the next call meets the damage again.
        } catch  where error.isDamagedSnapshot && !isMended {
            isMended = true
            cursor = try beginning(in: try access.rebuiltTrees(for: index, after: count))
            try pass(count)
            try read(into: &ids, limit)
        }
        count += ids.count - start
        return ids.count - start
    }

    /// Places the cursor at first, and later lets the memory of earlier pages be freed.
    private mutating func prepare() throws(DaybookError) {
        stepCount += 1
        guard cursor == nil || (stepCount > HeldTrees.stepCountMax && !isMended) else { return }
        let next = try access.hold()
        if cursor == nil {
            cursor = try beginning(in: next.reader)
        } else {
            try cursor?.reload()
        }
        held = next
        stepCount = 0
    }

    private mutating func read(into ids: inout [UInt64], _ limit: Int) throws(DaybookError) {
        if isDescending {
            _ = try cursor?.previous(valuesInto: &ids, limit: limit, notBelow: lower)
        } else {
            _ = try cursor?.next(valuesInto: &ids, limit: limit, before: upper)
        }
    }

    /// Skips the entries that were already returned: rebuilt trees contain the same entries in the
    /// same order.
    private mutating func pass(_ count: Int) throws(DaybookError) {
        var ids: [UInt64] = []
        var left = count
        while left > 0 {
            ids.removeAll(keepingCapacity: true)
            try read(into: &ids, min(left, 4096))
            guard !ids.isEmpty else { break }
            left -= ids.count
        }
    }

    private func beginning(in reader: PageReader) throws(DaybookError) -> ByteCursor {
        guard isDescending else { return try reader.bytes(index.tree, from: lower) }
        guard let upper else {
            var cursor = try reader.bytes(index.tree)
            try cursor.seekToEnd()
            return cursor
        }
        return try reader.bytes(index.tree, from: upper)
    }
}
