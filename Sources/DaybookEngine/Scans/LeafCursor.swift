import DaybookBytes
import DaybookRecords
import DaybookPages

/// Walks an entity's objects page by page: of pages whose rows were copied before it gives the
/// columns, of others it gathers the entries.
struct LeafCursor {
    enum Step {
        /// The columns of a page.
        case columns(RowColumns)
        /// Entries were gathered, or an empty page was passed.
        case gathered
        /// There is no room for the next page's entries.
        case full
        /// No page is left.
        case end
        /// The next page cannot be read.
        case damaged
    }

    /// The first id that was not given yet.
    private(set) var nextId: UInt64
    private let lastId: UInt64
    private var leaves: WordLeaves
    /// The page that comes next, where there was no room for it.
    private var waiting: WordLeaf?
    private let notes: DerivedPageCache
    private let round: UInt64
    private let demand: (UInt32) -> ColumnDemand?
    /// The layout of the last page's rows, and what is wanted of such rows: mostly all have one.
    private var layout: UInt32 = 0
    private var wanted: ColumnDemand?

    /// Throws where the trees cannot be read.
    init(
        _ view: ReadView, _ notes: DerivedPageCache, _ entity: UInt32, _ ids: ClosedRange<UInt64>,
        round: UInt64, _ demand: @escaping (UInt32) -> ColumnDemand?
    ) throws(DaybookError) {
        nextId = ids.lowerBound
        lastId = ids.upperBound
        leaves = try view.trees.leaves(IndexTree.objects(of: entity), from: ids.lowerBound)
        self.notes = notes
        self.round = round
        self.demand = demand
    }

    /// Goes one page further. The entries go behind the first `count` of them, which it raises;
    /// `learner` is told of those that make a page.
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
