import DaybookBytes
import DaybookRecords
import DaybookPages

/// Iterates over the entries of an entity's objects, ordered by id, including removed ones. If a
/// page cannot be read, continues in the rebuilt trees.
struct EntryCursor<Trees: RebuildableTrees> {
    private let trees: Trees
    private let tree: TreeID
    /// The next id to return.
    private var nextId: UInt64
    private let lastId: UInt64
    /// The position in the tree; nil at first.
    private var cursor: WordCursor?
    /// Keeps the memory of the cursor's pages.
    private var held: HeldTrees?
    /// The number of pages that were read since.
    private var stepCount = 0
    private var isMended = false

    init(_ trees: Trees, _ entity: UInt32, _ ids: ClosedRange<UInt64>) {
        self.trees = trees
        tree = IndexTree.objects(of: entity)
        nextId = ids.lowerBound
        lastId = ids.upperBound
    }

    /// Fills `entries` as far as possible, and returns the number of entries: 0 only at the end.
    mutating func next(into entries: inout [WordEntry]) throws(DaybookError) -> Int {
        var count = 0
        while count < entries.count {
            do throws(DaybookError) {
                let taken = try take(into: &entries, from: count)
                guard taken > 0 else { break }
                count += taken
            } catch {
                // Returns the collected entries first; the next call meets the damage again.
                guard count > 0 else { throw error }
                break
            }
        }
        return count
    }

    /// Appends the entries of one page.
    private mutating func take(
        into entries: inout [WordEntry], from start: Int
    ) throws(DaybookError) -> Int {
        guard nextId <= lastId else { return 0 }
        let lastId = lastId
        var taken: Int
        do throws(DaybookError) {
            try prepare()
            taken = try cursor?.next(into: &entries, from: start, through: lastId) ?? 0
        } catch  where error.isDamagedSnapshot && !isMended {
            cursor = try trees.rebuiltTrees().words(tree, from: nextId)
            isMended = true
            taken = try cursor?.next(into: &entries, from: start, through: lastId) ?? 0
        }
        // No object has the highest number, so this does not overflow for objects.
        if taken > 0 { nextId = entries[start + taken - 1].key &+ 1 }
        return taken
    }

    /// Places the cursor, at first and after some pages.
    private mutating func prepare() throws(DaybookError) {
        stepCount += 1
        guard cursor == nil || (stepCount > HeldTrees.stepCountMax && !isMended) else { return }
        let next = try trees.hold()
        cursor = try next.reader.words(tree, from: nextId)
        held = next
        stepCount = 0
    }
}
