import DaybookRecords

/// What later commits did to links that matter, by all that it is asked for: each question is one
/// look, however many links there are. Commits are in rising order, each once.
struct LaterLinks {
    typealias Link = UndoHistory.LaterLink

    private(set) var bySource: [UndoHistory.Source: [Link]] = [:]
    /// By the objects at both ends.
    private(set) var byObject: [UndoHistory.Object: [Link]] = [:]
    /// By the ends where whoever loses the last link is removed: the commits that undid links.
    private(set) var losses: [LinkEnd: [UInt64]] = [:]
    /// By the same: who was linked at the other end.
    private(set) var gains: [LinkEnd: Set<UInt64>] = [:]
    /// The last commit that put an element into just that place of a list, or took it out.
    private(set) var lastAtPlace: [ListEntry: UInt64] = [:]
    /// By the link without its position: of a list all that concerns the target.
    private var byPair: [ListEntry: [UInt64]] = [:]
    /// By the place in a list, with no target.
    private var byPlace: [ListEntry: [UInt64]] = [:]

    init(_ history: UndoHistory, without cancelled: SequenceRanges) {
        for later in history.laterLinks where !cancelled.contains(later.sequence) {
            let link = later.link
            guard let relation = history.engine.schemas.relation(link.relation) else { continue }
            bySource[.init(relation: link.relation, id: link.source), default: []].append(later)
            let source = UndoHistory.Object(entity: relation.entityID, id: link.source)
            let target = UndoHistory.Object(entity: relation.targetEntityID, id: link.target)
            for end in Set([source, target]) { byObject[end, default: []].append(later) }
            for end in history.ownedEnds(of: link, relation) {
                if later.isLink {
                    gains[end, default: []].insert(end.isBackward ? link.source : link.target)
                } else {
                    losses[end, default: []].note(later.sequence)
                }
            }
            if relation.type != .toOne {
                byPair[link.withoutPosition, default: []].note(later.sequence)
            }
            if relation.type == .objects {
                byPlace[link.withoutTarget, default: []].note(later.sequence)
                lastAtPlace[link] = later.sequence
            }
        }
    }

    /// The commits that did something to the same: the link, the target of a source to one, or the
    /// place of a target in a list.
    func commits(touching link: ListEntry, _ relation: Schema.Relation) -> [UInt64] {
        switch relation.type {
        case .toOne:
            let source = UndoHistory.Source(relation: link.relation, id: link.source)
            return (bySource[source] ?? []).map(\.sequence).distinctSorted()
        case .objects:
            return (byPair[link.withoutPosition] ?? [])
                .merged(with: byPlace[link.withoutTarget] ?? [])
        default: return byPair[link.withoutPosition] ?? []
        }
    }

    /// The later losses of other links that would have been the last of an object, which a rule
    /// would have removed then, had a link not been made.
    func losses(at ends: [LinkEnd]) -> [UInt64] {
        ends.reduce([]) { $0.merged(with: losses[$1] ?? []) }
    }
}

extension ListEntry {
    fileprivate var withoutPosition: ListEntry {
        ListEntry(relation: relation, source: source, target: target, position: [])
    }

    fileprivate var withoutTarget: ListEntry {
        ListEntry(relation: relation, source: source, target: 0, position: position)
    }
}

extension [UInt64] {
    /// Adds one that is not below the last.
    fileprivate mutating func note(_ sequence: UInt64) {
        if last != sequence { append(sequence) }
    }

    /// Those of both, each once. No copy where one of them has none: many conflicts share theirs.
    func merged(with other: [UInt64]) -> [UInt64] {
        if other.isEmpty { return self }
        return isEmpty ? other : Array(Set(self).union(other)).sorted()
    }

    /// Each once, in order.
    func distinctSorted() -> [UInt64] { Array(Set(self)).sorted() }
}
