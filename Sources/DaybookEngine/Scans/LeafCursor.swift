import DaybookBytes
import DaybookRecords
import DaybookPages

/// Iterates over the pages of an entity's object entries. Returns cached columns for pages that
/// have them, and collects the entries of other pages.
struct LeafCursor {
    enum Step {
        /// The cached columns of a page.
        case columns(RowColumns)
        /// Entries were collected, or an empty page was skipped.
        case gathered
        /// There is no room for the next page's entries.
        case full
        /// No page is left.
        case end
        /// The next page cannot be read.
        case damaged
    }

    /// The next id to return.
    private(set) var nextId: UInt64
    private let lastId: UInt64
    private let view: ReadView
    private let tree: TreeID
    private var leaves: WordLeaves
    /// Keeps the memory of the pages of `leaves`.
    private var held: HeldTrees
    /// The number of pages that were read since.
    private var stepCount = 0
    /// The next page, if there was no room for it.
    private var waiting: WordLeaf?
    private let notes: DerivedPageCache
    private let round: UInt64
    private let demand: (UInt32) -> ColumnDemand?
    /// The layout of the last page's rows, and the demand for such rows: most pages share one
    /// layout.
    private var layout: UInt32 = 0
    private var wanted: ColumnDemand?

    /// Throws if the trees cannot be read.
    init(
        _ view: ReadView, _ notes: DerivedPageCache, _ entity: UInt32, _ ids: ClosedRange<UInt64>,
        round: UInt64, _ demand: @escaping (UInt32) -> ColumnDemand?
    ) throws(DaybookError) {
        nextId = ids.lowerBound
        lastId = ids.upperBound
        self.view = view
        tree = IndexTree.objects(of: entity)
        held = view.hold()
        leaves = try held.reader.leaves(tree, from: ids.lowerBound)
        self.notes = notes
        self.round = round
        self.demand = demand
    }

    /// Advances by one page. Appends entries after the first `count` of them, and raises `count`.
    /// Announces entries that make a whole page to `learner`.
    mutating func step(
        into entries: inout [WordEntry], _ count: inout Int, _ learner: inout ColumnLearner
    ) -> Step {
        guard nextId <= lastId else { return .end }
        let leaf: WordLeaf
        do throws(DaybookError) {
            if let waiting {
                leaf = waiting
                self.waiting = nil
            } else {
                stepCount += 1
                if stepCount > HeldTrees.stepCountMax { try renew() }
                guard let found = try leaves.nextLeaf() else { return .end }
                leaf = found
            }
        } catch {
            return .damaged
        }
        let isWhole = leaf.keys.lowerBound >= nextId && leaf.keys.upperBound <= lastId
        var known: RowColumns?
        if isWhole {
            known = notes.value(of: leaf.name, in: round) as? RowColumns
            if let known, !known.isMixed, isEnough(known) {
                pass(leaf)
                return .columns(known)
            }
        }
        guard leaf.count <= entries.count - count else {
            waiting = leaf
            return .full
        }
        let start = count
        let first = max(nextId, leaf.keys.lowerBound)
        let last = min(lastId, leaf.keys.upperBound)
        if first <= last { count += leaf.copy(first...last, into: &entries, from: start) }
        if isWhole, known?.isMixed != true {
            learner.expect(leaf.name, entries[start..<count], known)
        }
        pass(leaf)
        return .gathered
    }

    /// Lets the memory of earlier pages be freed.
    private mutating func renew() throws(DaybookError) {
        let next = view.hold()
        leaves = try next.reader.leaves(tree, from: nextId)
        held = next
        stepCount = 0
    }

    private mutating func pass(_ leaf: WordLeaf) {
        // No object has the highest number.
        nextId = max(nextId, leaf.keys.upperBound == .max ? .max : leaf.keys.upperBound + 1)
    }

    private mutating func isEnough(_ known: RowColumns) -> Bool {
        if known.count == 0 { return true }
        if known.layout != layout {
            layout = known.layout
            wanted = demand(layout)
        }
        return wanted.map { known.has($0) } ?? false
    }
}
