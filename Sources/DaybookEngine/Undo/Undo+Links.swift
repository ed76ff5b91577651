import DaybookBytes
import DaybookRecords

// Links that were made and undone: each is set back by itself, but for those of a source to one and
// of a list, which hang together.
extension Undo {
    mutating func judgeLinks() throws(DaybookError) {
        var gaps: [UndoHistory.Source: ListGaps] = [:]
        for link in history.linkOrder {
            guard let effect = history.links[link],
                let relation = history.engine.schemas.relation(link.relation)
            else { continue }
            let source = UndoHistory.Source(relation: link.relation, id: link.source)
            var commits = later.commits(touching: link, relation)
            if relation.type == .objects, effect.wasThere {
                if gaps[source] == nil {
                    let now = try transaction.list(source.relation, source.id).map(\.position)
                    gaps[source] = ListGaps(now, later.bySource[source] ?? [])
                }
                commits = commits.merged(with: gaps[source]?.commits(beside: link.position) ?? [])
            }
            try judge(link, relation, effect, commits)
        }
    }

    private mutating func judge(
        _ link: ListEntry, _ relation: Schema.Relation, _ effect: UndoHistory.LinkEffect,
        _ later: [UInt64]
    ) throws(DaybookError) {
        let source = Object(entity: relation.entityID, id: link.source)
        let target = Object(entity: relation.targetEntityID, id: link.target)
        var conflict = UndoObstacle(
            reason: .changed, entity: source.entity, id: source.id, relation: link.relation,
            target: link.target)
        let absences = [source, target].map { counting(history.laterAbsences[$0] ?? []) }
        let removals = absences.joined().filter { $0.kind == .removed }.map(\.sequence)
        if !removals.isEmpty, hasRules(relation) {
            // What the rules made of that is what may differ.
            conflict.reason = .rules
            conflict.sequences = removals
            conflicts.append(conflict)
            return
        }
        let changes = absences.flatMap(joined)
        // Once an end was removed the link was gone either way.
        if changes.contains(where: { $0.kind == .removed }) { return }
        let later = later.merged(with: changes.map(\.sequence).distinctSorted())
        let isThere = try isThere(link)
        guard isThere != effect.wasThere else {
            // A list that had become empty gives the same places anew: it is another element then.
            if isThere, let last = self.later.lastAtPlace[link], !history.ownUndos.contains(last) {
                conflict.sequences = later
                conflicts.append(conflict)
            }
            return
        }
        if hasRules(relation) {
            let stayed = try orphansThatStayed()
            if !stayed.isEmpty {
                conflict.reason = .rules
                conflict.sequences = stayed
                guard overwrites(conflict) else { return }
                conflict.reason = .changed
            }
        }
        guard effect.wasThere else {
            let losses = self.later.losses(at: history.ownedEnds(of: link, relation))
            if !later.isEmpty || !losses.isEmpty {
                if later.isEmpty { conflict.reason = .rules }
                conflict.sequences = later.merged(with: losses)
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
            conflict.sequences = later
            guard overwrites(conflict) else { return }
        }
        relinks.append(link)
    }

    /// The later losses that left an object without an owner, which is there all the same: some
    /// relation did not let it go then, and might have without what is undone.
    private mutating func orphansThatStayed() throws(DaybookError) -> [UInt64] {
        if let known = stayed { return known }
        var found: Set<UInt64> = []
        for (end, losses) in later.losses {
            guard let relation = history.engine.schemas.relation(end.relation) else { continue }
            let entity = end.isBackward ? relation.targetEntityID : relation.entityID
            guard try transaction.contains(entity, end.id) else { continue }
            let made = later.gains[end] ?? []
            let owners = try transaction.links(of: end)
            if owners.allSatisfy({ made.contains($0) }) { found.formUnion(losses) }
        }
        stayed = found.sorted()
        return found.sorted()
    }

    /// The later commits that undid links of an object which an undo has put back: rules may have
    /// removed it by those, and it would stay now. The log does not tell.
    func lossesForRules(
        of object: Object, _ later: [UndoHistory.LaterLink]
    ) -> [UInt64] {
        guard history.hasUndos else { return [] }
        let losses = later.filter { !$0.isLink && mayHaveRemoved(object, $0.link) }
        return Set(losses.map(\.sequence)).sorted()
    }

    /// Whether an object that was put back together with a link may have been removed by its rules.
    private func mayHaveRemoved(_ object: Object, _ link: ListEntry) -> Bool {
        guard let effect = history.links[link], effect.isThere, !effect.wasThere,
            let relation = history.engine.schemas.relation(link.relation),
            let rules = history.rules(of: relation)
        else { return false }
        let source = Object(entity: relation.entityID, id: link.source)
        let target = Object(entity: relation.targetEntityID, id: link.target)
        let isByTarget = rules.onTargetRemoved == .cascade && wasPutBack(target)
        let isBySource = rules.onSourceRemoved == .cascade && wasPutBack(source)
        return object == source && (isByTarget || rules.removesOrphanSources)
            || object == target && (isBySource || rules.removesOrphanTargets)
    }

    private func wasPutBack(_ object: Object) -> Bool {
        history.objects[object].map { $0.before == nil && $0.after != nil } ?? false
    }

    private func hasRules(_ relation: Schema.Relation) -> Bool {
        history.engine.schemas.ends(of: relation.entityID)
            .first { $0.relation.relationID == relation.relationID }?.hasRules ?? false
    }

    /// Whom a source of a relation to one leads to now, if it is neither the target of the link nor
    /// one that the undo takes away.
    private func otherTarget(of link: ListEntry) throws(DaybookError) -> UInt64? {
        let end = LinkEnd(
            relation: link.relation, isBackward: false, id: link.source, isList: false)
        guard let now = try transaction.links(of: end, limit: 1).first, now != link.target else {
            return nil
        }
        let other = PendingChanges.pair(link.relation, link.source, now)
        let goes = history.links[other].map { $0.isThere && !$0.wasThere } ?? false
        return goes ? nil : now
    }
}
