import DaybookBytes
import DaybookIndex

// Links that were made and undone: each is set back by itself, but for those of a source to one and
// of a list, which hang together.
extension Reversal {
    mutating func judgeLinks() throws(DaybookError) {
        var gaps: [ReversalHistory.Source: ListGaps] = [:]
        for link in history.linkOrder {
            guard let effect = history.links[link],
                let relation = history.engine.schemas.relation(link.relation)
            else { continue }
            let source = ReversalHistory.Source(relation: link.relation, id: link.source)
            let later = self.later.bySource[source] ?? []
            if relation.type == .objects, gaps[source] == nil {
                gaps[source] = try listGaps(source, later)
            }
            var touching = later.filter { $0.concerns(link, relation) }
            if effect.wasThere, let gaps = gaps[source] {
                touching += gaps.inserted(beside: link.position, later)
            }
            try judge(link, relation, effect, touching)
        }
    }

    private mutating func judge(
        _ link: ListEntry, _ relation: Schema.Relation, _ effect: ReversalHistory.LinkEffect,
        _ later: [ReversalHistory.LaterLink]
    ) throws(DaybookError) {
        let source = Object(entity: relation.entityID, id: link.source)
        let target = Object(entity: relation.targetEntityID, id: link.target)
        var conflict = ReversalConflict(
            reason: .changed, entity: source.entity, id: source.id, relation: link.relation,
            target: link.target)
        let removals = self.removals(since: [source, target])
        if !removals.isEmpty {
            // Once an end was removed the link was gone either way. What rules made of that is what
            // may differ.
            guard hasRules(relation) else { return }
            conflict.reason = .rules
            conflict.sequences = removals
            conflicts.append(conflict)
            return
        }
        let isThere = try isThere(link)
        guard isThere != effect.wasThere else { return }
        if hasRules(relation) {
            let stayed = try orphansThatStayed()
            if !stayed.isEmpty {
                conflict.reason = .rules
                conflict.sequences = stayed.map(\.sequence)
                guard overwrites(conflict) else { return }
                conflict.reason = .changed
            }
        }
        guard effect.wasThere else {
            let losses = losses(of: link, relation)
            if !later.isEmpty || !losses.isEmpty {
                if later.isEmpty { conflict.reason = .rules }
                conflict.sequences = (later + losses).map(\.sequence)
                guard overwrites(conflict) else { return }
            }
            return unlinks.append(link)
        }
        for end in [source, target] {
            let lives = try transaction.contains(end.entity, end.id)
            guard lives || restored.contains(end) else {
                conflict.reason = .otherRemoved
                conflicts.append(conflict)
                return
            }
        }
        var isTaken = false
        if relation.type == .toOne { isTaken = try otherTarget(of: link) != nil }
        if !later.isEmpty || isTaken {
            conflict.sequences = later.map(\.sequence)
            guard overwrites(conflict) else { return }
        }
        relinks.append(link)
    }

    /// The later losses of other links that would have been the last of an object, which a rule
    /// would have removed then, had a link not been made.
    private func losses(
        of link: ListEntry, _ relation: Schema.Relation
    ) -> [ReversalHistory.LaterLink] {
        history.ownedEnds(of: link, relation).flatMap { end in
            (later.byOwned[end] ?? []).filter { !$0.isLink }
        }
    }

    /// The later losses that left an object without an owner, which is there all the same: some
    /// relation did not let it go then, and might have without what is undone.
    private mutating func orphansThatStayed() throws(DaybookError) -> [ReversalHistory.LaterLink] {
        if let known = stayed { return known }
        var found: [ReversalHistory.LaterLink] = []
        for loss in later.all where !loss.isLink {
            guard let relation = history.engine.schemas.relation(loss.link.relation) else {
                continue
            }
            for end in history.ownedEnds(of: loss.link, relation) {
                let entity = end.isBackward ? relation.targetEntityID : relation.entityID
                guard try transaction.contains(entity, end.id) else { continue }
                let made = Set(
                    (later.byOwned[end] ?? []).filter(\.isLink).map {
                        end.isBackward ? $0.link.source : $0.link.target
                    })
                let owners = try transaction.links(of: end)
                if owners.allSatisfy({ made.contains($0) }) { found.append(loss) }
            }
        }
        stayed = found
        return found
    }

    /// When ends of a link were removed since.
    private func removals(since ends: [Object]) -> [UInt64] {
        ends.flatMap { history.laterRemovals[$0] ?? [] }.filter { !cancelled.contains($0) }
    }

    private func hasRules(_ relation: Schema.Relation) -> Bool {
        history.engine.schemas.ends(of: relation.entityID)
            .first { $0.relation.relationID == relation.relationID }?.hasRules ?? false
    }

    /// Whom a source of a relation to one leads to now, if it is neither the target of the link nor
    /// one that the undo takes away.
    private func otherTarget(of link: ListEntry) throws(DaybookError) -> UInt64? {
        let end = LinkEnd(relation: link.relation, isBackward: false, id: link.source)
        guard let now = try transaction.links(of: end, limit: 1).first, now != link.target else {
            return nil
        }
        let other = PendingChanges.pair(link.relation, link.source, now)
        let goes = history.links[other].map { $0.isThere && !$0.wasThere } ?? false
        return goes ? nil : now
    }

    private func listGaps(
        _ source: ReversalHistory.Source, _ later: [ReversalHistory.LaterLink]
    ) throws(DaybookError) -> ListGaps {
        var positions = Set(
            try transaction.list(source.relation, source.id).map(\.position))
        for change in later.reversed() {
            if change.isLink {
                positions.remove(change.link.position)
            } else {
                positions.insert(change.link.position)
            }
        }
        return ListGaps(positions)
    }
}

extension ReversalHistory.LaterLink {
    /// Whether it is about the same: the link, the target of a source to one, or the place of a
    /// target in a list.
    fileprivate func concerns(_ other: ListEntry, _ relation: Schema.Relation) -> Bool {
        switch relation.type {
        case .toOne: true
        case .objects: link.target == other.target || link.position == other.position
        default: link == other
        }
    }
}

/// The positions of a list right after what is undone: between two of them a place has its order
/// among what came in later only by chance.
struct ListGaps {
    private let positions: [[UInt8]]

    init(_ positions: Set<[UInt8]>) {
        self.positions = positions.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The later elements that came in where a place is to be put back.
    func inserted(
        beside position: [UInt8], _ later: [ReversalHistory.LaterLink]
    ) -> [ReversalHistory.LaterLink] {
        let (low, high) = neighbors(of: position)
        return later.filter { change in
            guard change.isLink else { return false }
            let other = change.link.position
            return (low.map { $0.lexicographicallyPrecedes(other) } ?? true)
                && (high.map { other.lexicographicallyPrecedes($0) } ?? true)
        }
    }

    private func neighbors(of position: [UInt8]) -> (low: [UInt8]?, high: [UInt8]?) {
        var (low, high) = (0, positions.count)
        while low < high {
            let middle = (low + high) / 2
            if positions[middle].lexicographicallyPrecedes(position) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return (
            low > 0 ? positions[low - 1] : nil, low < positions.count ? positions[low] : nil
        )
    }
}
