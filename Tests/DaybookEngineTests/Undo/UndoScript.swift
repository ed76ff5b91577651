@testable import DaybookEngine
import DaybookTestSupport

/// The changes to a graph of nodes, commit by commit, to derive the state without one of the
/// commits.
struct UndoScript {
    typealias Relation = GraphStore.Relation

    enum Change {
        case insert(UInt64, String)
        case text(UInt64, String)
        case remove(UInt64)
        case link(Relation, UInt64, UInt64)
        case unlink(Relation, UInt64, UInt64)
        case append(UInt64, UInt64)
        case prepend(UInt64, UInt64)
        /// Removes all occurrences of a target from the list.
        case take(UInt64, UInt64)
    }

    /// The state after a script.
    struct State: Equatable {
        var graph = GraphModel()
        var texts: [UInt64: String] = [:]

        static func == (one: State, other: State) -> Bool {
            one.texts == other.texts
                && Relation.allCases.allSatisfy {
                    (one.graph.targets[$0] ?? [:]) == (other.graph.targets[$0] ?? [:])
                }
        }

        /// Applies the changes of a commit as far as possible; their objects may be missing.
        mutating func apply(_ commit: [Change]) {
            var candidates: Set<UInt64> = []
            for change in commit {
                let before = owned
                apply(change)
                candidates.formUnion(before.subtracting(owned))
            }
            graph.removeOrphans(candidates)
            texts = texts.filter { graph.nodes.contains($0.key) }
        }

        private var owned: Set<UInt64> { Set((graph.targets[.owned] ?? [:]).values.joined()) }

        mutating func apply(_ change: Change) {
            switch change {
            case .insert(let id, let text):
                graph.nodes.insert(id)
                texts[id] = text
            case .text(let id, let text):
                if graph.nodes.contains(id) { texts[id] = text }
            case .remove(let id):
                if graph.nodes.contains(id) { _ = graph.remove(id) }
                texts = texts.filter { graph.nodes.contains($0.key) }
            case .link(let relation, let source, let target):
                if live(source, target) { graph.link(relation, source, target) }
            case .unlink(let relation, let source, let target):
                graph.unlink(relation, source, target)
            case .append(let source, let target):
                guard live(source, target) else { return }
                graph.set(.playlist, source, graph.targets(.playlist, source) + [target])
            case .prepend(let source, let target):
                guard live(source, target) else { return }
                graph.set(.playlist, source, [target] + graph.targets(.playlist, source))
            case .take(let source, let target): graph.unlink(.playlist, source, target)
            }
        }

        private func live(_ source: UInt64, _ target: UInt64) -> Bool {
            graph.nodes.contains(source) && graph.nodes.contains(target)
        }
    }

    private(set) var commits: [[Change]] = []
    /// The sequence of each commit.
    private(set) var sequences: [UInt64] = []
    /// The sequence of the undo of each undone commit.
    var undos: [Int: UInt64] = [:]

    mutating func append(_ commit: [Change], _ sequence: UInt64) {
        commits.append(commit)
        sequences.append(sequence)
    }

    /// Returns the state without the undone commits, except `others`, and without `more`.
    func state(without more: Set<Int> = [], with others: Set<Int> = []) -> State {
        var state = State()
        for (index, commit) in commits.enumerated() {
            let isUndone = undos[index] != nil && !others.contains(index)
            if !isUndone, !more.contains(index) { state.apply(commit) }
        }
        return state
    }
}

extension Engine {
    /// Whether an undo reverted all changes of a commit. Removed objects have nothing to revert;
    /// restoring one later restores its state at the removal.
    func isComplete(_ report: UndoResult) throws -> Bool {
        let range = HistoryRange(
            from: .sequence(report.undone.lowerBound), until: .sequence(report.undone.upperBound))
        var count = 0
        try forEachTransaction(in: range) { transaction in
            count += transaction.eventCount
            return true
        }
        return count
            == report.changedCount + report.restoredCount + report.removedCount + report.linkCount
    }
}

extension GraphStore {
    /// Applies a change. If the id of a new node is 0, the store assigns one.
    func apply(
        _ change: UndoScript.Change, in transaction: WriteTransaction
    ) throws -> UndoScript.Change {
        switch change {
        case .insert(let id, let text):
            return .insert(try put(text, id: id, in: transaction), text)
        case .text(let id, let text): _ = try put(text, id: id, in: transaction)
        case .remove(let id): _ = try transaction.changes.remove(entity, id)
        case .link(let relation, let source, let target):
            _ = try transaction.changes.link(number(relation), source, target)
        case .unlink(let relation, let source, let target):
            _ = try transaction.changes.unlink(number(relation), source, target)
        case .append(let source, let target):
            try edit(source, transaction) { $0 + [ListPlacement(position: nil, target: target)] }
        case .prepend(let source, let target):
            try edit(source, transaction) { [ListPlacement(position: nil, target: target)] + $0 }
        case .take(let source, let target):
            try edit(source, transaction) { $0.filter { $0.target != target } }
        }
        return change
    }

    private func edit(
        _ source: UInt64, _ transaction: WriteTransaction,
        _ change: ([ListPlacement]) -> [ListPlacement]
    ) throws {
        let base = try transaction.changes.list(number(.playlist), source)
        let list = base.map { ListPlacement(position: $0.position, target: $0.target) }
        _ = try transaction.changes.setList(
            number(.playlist), source, from: base.map(\.position), to: change(list))
    }

    /// Returns the state in the store.
    func state() throws -> UndoScript.State {
        var state = UndoScript.State()
        for id in try rows() {
            state.graph.nodes.insert(id.key)
            state.texts[id.key] = id.value
        }
        for relation in Relation.allCases {
            for id in state.graph.nodes {
                let targets =
                    relation == .playlist
                    ? try engine.scope().list(number(relation), id).map(\.target)
                    : try engine.scope().links(of: end(relation, id))
                state.graph.set(relation, id, targets)
            }
        }
        return state
    }
}
