import DaybookRecords

/// The changes that later commits made to relevant links, grouped for each kind of lookup. A lookup
/// takes constant time, however many links there are. Sequences are ascending and distinct.
struct LaterLinks {
    typealias Link = UndoHistory.LaterLink

    private(set) var bySource: [UndoHistory.Source: [Link]] = [:]
    /// The changes by the objects at both ends.
    private(set) var byObject: [UndoHistory.Object: [Link]] = [:]
    /// The commits that removed links, by the ends whose object a rule removes with its last link.
    private(set) var losses: [LinkEnd: [UInt64]] = [:]
    /// The objects that were linked at the other end, by the same ends.
    private(set) var gains: [LinkEnd: Set<UInt64>] = [:]
    /// The last commit that inserted or removed an element at exactly this position of a list.
    private(set) var lastAtPlace: [ListEntry: UInt64] = [:]
    /// The commits by link without its position: for a list, all commits that concern the target.
    private var byPair: [ListEntry: [UInt64]] = [:]
    /// The commits by position in a list, without the target.
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
            if relation.type.hasPositions {
                byPlace[link.withoutTarget, default: []].note(later.sequence)
                lastAtPlace[link] = later.sequence
            }
        }
    }

    /// Returns the commits that changed the same link, the target of the same to-one source, or the
    /// same position or target of a list, or the same key or target of a map.
    func commits(touching link: ListEntry, _ relation: Schema.Relation) -> [UInt64] {
        switch relation.type {
        case .toOne:
            let source = UndoHistory.Source(relation: link.relation, id: link.source)
            return (bySource[source] ?? []).map(\.sequence).distinctSorted()
        case .objects, .keyedObjects:
            return (byPair[link.withoutPosition] ?? [])
                .merged(with: byPlace[link.withoutTarget] ?? [])
        default: return byPair[link.withoutPosition] ?? []
        }
    }

    /// Returns the later commits that removed other links of these ends. Without a link that is to
    /// be undone, one of those might have been the last link of its object, and a rule would have
    /// removed the object.
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
    /// Appends a sequence that is not less than the last one, without duplicates.
    fileprivate mutating func note(_ sequence: UInt64) {
        if last != sequence { append(sequence) }
    }

    /// Returns the union, sorted and without duplicates. Makes no copy if one side is empty,
    /// because many conflicts share the same array.
    func merged(with other: [UInt64]) -> [UInt64] {
        if other.isEmpty { return self }
        return isEmpty ? other : Array(Set(self).union(other)).sorted()
    }

    /// Returns the distinct elements in ascending order.
    func distinctSorted() -> [UInt64] { Array(Set(self)).sorted() }
}
