import DaybookBytes
import DaybookTesting

/// An operation of a history.
enum WorkloadStep: Sendable {
    /// A change of one object. `pick` selects an existing object by its position.
    enum Change: Sendable {
        case insert(ObjectKind, length: Int)
        case update(ObjectKind, pick: UInt64, length: Int)
        case remove(ObjectKind, pick: UInt64)
        case relation(RelationChange)
        /// Appends an event.
        case append(length: Int)
    }

    /// A change of a note's relations.
    enum RelationChange: Sendable {
        case link(ObjectRelation, pick: UInt64, targetPick: UInt64)
        case unlink(ObjectRelation, pick: UInt64)
        /// Inserts, removes and moves list elements.
        case edit(ObjectRelation, pick: UInt64, seed: UInt64)
    }

    case transaction([Change], seed: UInt64)
    /// Makes all previous commits durable.
    case sync
    case snapshot
    /// Compacts sealed segments into blocks.
    case reblock
    /// Drops superseded versions and old events.
    case dropHistory
    /// Erases an object, which `pick` selects by its position.
    case erase(ObjectKind, pick: UInt64)
    /// Closes the store and opens it again.
    case reopen

    /// The name of the step in reports.
    var label: String {
        switch self {
        case .transaction(let changes, _): "transaction of \(changes.count)"
        case .sync: "sync"
        case .snapshot: "snapshot"
        case .reblock: "re-blocking"
        case .dropHistory: "compaction that drops history"
        case .erase: "erasure"
        case .reopen: "close and open"
        }
    }
}

extension WorkloadStep {
    /// Returns a random step: mostly small transactions, and sometimes another operation.
    static func random(using random: inout SeededGenerator) -> WorkloadStep {
        switch random.next() % 100 {
        case 0..<72: transaction(1 + Int(random.next() % 3), lengthMax: 160, &random)
        case 72..<78: transaction(2 + Int(random.next() % 5), lengthMax: 900, &random)
        case 78..<80: transaction(1, lengthMax: 3_000, &random)
        case 80..<83: .sync
        case 83..<88: .snapshot
        case 88..<92: .reblock
        case 92..<94: .dropHistory
        case 94..<96: .erase(random.next() % 3 == 0 ? .mark : .note, pick: random.next())
        default: .reopen
        }
    }

    private static func transaction(
        _ count: Int, lengthMax: Int, _ random: inout SeededGenerator
    ) -> WorkloadStep {
        var changes: [Change] = []
        for _ in 0..<count {
            let kind: ObjectKind = random.next() % 3 == 0 ? .mark : .note
            let length = Int(random.next() % UInt64(lengthMax))
            switch random.next() % 17 {
            case 0..<5: changes.append(.insert(kind, length: length))
            case 5..<8: changes.append(.update(kind, pick: random.next(), length: length))
            case 8..<10: changes.append(.remove(kind, pick: random.next()))
            case 10..<12: changes.append(.append(length: length / 2))
            default: changes.append(.relation(relationChange(&random)))
            }
        }
        return .transaction(changes, seed: random.next())
    }

    private static func relationChange(_ random: inout SeededGenerator) -> RelationChange {
        switch random.next() % 10 {
        case 0: .link(.chapter, pick: random.next(), targetPick: random.next())
        case 1..<3: .link(.cover, pick: random.next(), targetPick: random.next())
        case 3..<5: .link(.owned, pick: random.next(), targetPick: random.next())
        case 5: .unlink(.cover, pick: random.next())
        case 6: .unlink(.chapter, pick: random.next())
        case 7: .unlink(.owned, pick: random.next())
        default: .edit(.sequels, pick: random.next(), seed: random.next())
        }
    }
}
