import DaybookBytes
import DaybookRecords

// Resolves the links that the commits made and removed. Each link is independent of others, except
// links of a to-one source and of a list.
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
                    let now = try transaction.changes.list(source.relation, source.id).map(
                        \.position)
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
            // The effects of the rules may differ from the undone state.
            conflict.reason = .rules
            conflict.sequences = removals
            conflicts.append(conflict)
            return
        }
        let changes = absences.flatMap(joined)
        // After the removal of an end, the link does not exist in any case.
        if changes.contains(where: { $0.kind == .removed }) { return }
        let later = later.merged(with: changes.map(\.sequence).distinctSorted())
        let isThere = try isThere(link)
        guard isThere != effect.wasThere else {
            // An emptied list reuses its positions, so this may be another element.
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
            let lives = try transaction.changes.contains(end.entity, end.id)
            guard lives || restored.contains(end) else {
                conflict.reason = .otherRemoved
                conflicts.append(conflict)
                return
            }
        }
        var isTaken = false
        if relation.type == .toOne { isTaken = try otherTarget(of: link) != nil }
        if relation.type == .keyedObjects { isTaken = try otherTarget(of: link, relation) != nil }
        if !later.isEmpty || isTaken {
            conflict.sequences = later
            guard overwrites(conflict) else { return }
        }
        relinks.append(link)
    }

    /// Returns the later commits that removed the last owner of an object that still exists. A
    /// relation prevented its removal then, and might not have done so without the undone commits.
    private mutating func orphansThatStayed() throws(DaybookError) -> [UInt64] {
        if let known = stayed { return known }
        var found: Set<UInt64> = []
        for (end, losses) in later.losses {
            guard let relation = history.engine.schemas.relation(end.relation) else { continue }
            let entity = end.isBackward ? relation.targetEntityID : relation.entityID
            guard try transaction.changes.contains(entity, end.id) else { continue }
            let made = later.gains[end] ?? []
            let owners = try transaction.changes.links(of: end)
            if owners.allSatisfy({ made.contains($0) }) { found.formUnion(losses) }
        }
        stayed = found.sorted()
        return found.sorted()
    }

    /// Returns the later commits that removed links of an object that an undo restored. Rules may
    /// have removed the object together with those links, and now it would remain. The log does not
    /// contain the rules' decisions.
    func lossesForRules(
        of object: Object, _ later: [UndoHistory.LaterLink]
    ) -> [UInt64] {
        guard history.hasUndos else { return [] }
        let losses = later.filter { !$0.isLink && mayHaveRemoved(object, $0.link) }
        return Set(losses.map(\.sequence)).sorted()
    }

    /// Whether rules may have removed an object that was restored together with this link.
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

    /// Returns the current target of a to-one source, unless it is the target of the link or the
    /// undo removes it.
    private func otherTarget(of link: ListEntry) throws(DaybookError) -> UInt64? {
        let end = LinkEnd(
            relation: link.relation, isBackward: false, id: link.source, isList: false)
        guard let now = try transaction.changes.links(of: end, limit: 1).first else { return nil }
        return otherTarget(now, of: link)
    }

    /// Returns the current target of the key of a link, as ``otherTarget(of:)``.
    private func otherTarget(
        of link: ListEntry, _ relation: Schema.Relation
    ) throws(DaybookError) -> UInt64? {
        let now = try transaction.changes.target(
            atKey: link.position, of: link.source, relation)
        return now.flatMap { otherTarget($0, of: link) }
    }

    private func otherTarget(_ now: UInt64, of link: ListEntry) -> UInt64? {
        if now == link.target { return nil }
        var other = link
        other.target = now
        let goes = history.links[other].map { $0.isThere && !$0.wasThere } ?? false
        return goes ? nil : now
    }
}
