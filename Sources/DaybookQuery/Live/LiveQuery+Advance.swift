import DaybookBytes
package import DaybookEngine
import DaybookRecords

extension LiveQuery {
    /// The result of evaluating the touched objects.
    private struct Verdicts {
        /// The places in `entries` of objects to remove.
        var removals: [Int] = []
        /// Entries to insert.
        var insertions: [Entry] = []
        /// Entries that keep their places.
        var replacements: [(place: Int, entry: Entry)] = []
        /// Ids to report as modified if they are still in the result.
        var modified: Set<UInt64> = []
    }

    /// Advances the result to another version and returns the difference; nil if the result and its
    /// objects are unchanged.
    ///
    /// After an error, the next call recovers: its difference is relative to the last reported
    /// result. Cost: one evaluation of each touched object, and of each object that refers to a
    /// touched one by a relation path. The query runs again if it is distinct or sorted by
    /// relevance, if a limited result has too few spare objects left, or if very many objects were
    /// touched.
    ///
    /// - Parameter touches: a superset of the objects and links touched since ``sequence``; nil if
    ///   they are unknown. A version older than the result is ignored.
    package mutating func advance(
        to access: QueryAccess, _ touches: CommitTouches?
    ) throws -> ResultDifference? {
        do {
            guard try access.view?.sequence ?? 0 >= sequence else { return nil }
            if touches == nil { isStale = true }
            access.events?.noteLiveAdvance()
            return try advanced(to: access, touches ?? CommitTouches())
        } catch {
            // The touched objects are not reported a second time.
            isStale = true
            throw error
        }
    }

    private mutating func advanced(
        to access: QueryAccess, _ touches: CommitTouches
    ) throws -> ResultDifference? {
        let sequence = try access.view?.sequence ?? 0
        let relations = ownRelations(access)
        guard isStale || concerns(touches, relations) else {
            self.sequence = sequence
            return nil
        }
        guard !isStale, let links = touches.sources(of: relations),
            let ids = touches.ids(of: query.entity),
            let affected = try affected(by: touches, access)
        else { return try runAgain(access, touches, relations) }
        if ids.isEmpty, affected.isEmpty, links.isEmpty {
            self.sequence = sequence
            return nil
        }
        guard dependencies.isJudged, ids.count + affected.count <= judgedCountMax else {
            return try runAgain(access, touches, relations)
        }
        let verdicts: Verdicts
        do {
            verdicts = try judge(ids, affected, links, access)
        } catch let error as DaybookError where error.code == .corruption {
            // An index may show that the result does not depend on the damaged data.
            return try runAgain(access, touches, relations)
        }
        let left = entries.count - verdicts.removals.count + verdicts.insertions.count
        if end != nil, left < query.needed ?? 0 {
            return try runAgain(access, touches, relations)
        }
        self.sequence = sequence
        let difference = apply(verdicts)
        return difference.isEmpty ? nil : difference
    }

    /// Whether the touched objects and links can change the result or its objects.
    ///
    /// - Parameter relations: the relations from ``ownRelations(_:)``.
    private func concerns(_ touches: CommitTouches, _ relations: Set<UInt32>) -> Bool {
        let entities = touches.entities
        if entities.contains(query.entity) { return true }
        if !touches.relations.isDisjoint(with: relations) { return true }
        return dependencies.ways.keys.contains { way in
            guard let relation = way.last else { return false }
            return entities.contains(relation.target)
                || relation.relationID.map { touches.relations.contains($0) } ?? false
        }
    }

    /// The relations whose link changes count as modifications of the source objects.
    private func ownRelations(_ access: QueryAccess) -> Set<UInt32> {
        if let watch { return watch.relations }
        return Set(
            access.schemas.schema.relations(from: query.entity).map(\.relationID))
    }

    /// Returns the difference from the result of another query for the same entity.
    ///
    /// - Parameters:
    ///   - shown: the ids of that result.
    ///   - access: the version of this result.
    ///   - touches: a superset of the objects and links touched since that result. If it is nil, or
    ///     if there are too many, all objects in both results count as modified.
    package func difference(
        from shown: [UInt64], _ access: QueryAccess, _ touches: CommitTouches?
    ) -> ResultDifference {
        let touched = touches?.ids(of: query.entity)
        let sources = touches?.sources(of: ownRelations(access))
        return ResultDifference(from: shown, to: ids) { id in
            guard let touched, let sources else { return true }
            return touched.contains(id) || sources.contains(id)
        }
    }

    /// - Parameters:
    ///   - ids: objects whose rows were touched.
    ///   - affected: objects whose related objects were touched.
    ///   - links: objects whose own links were touched.
    private mutating func judge(
        _ ids: Set<UInt64>, _ affected: Set<UInt64>, _ links: Set<UInt64>, _ access: QueryAccess
    ) throws -> Verdicts {
        var verdicts = Verdicts()
        var matches: [UInt64: Entry] = [:]
        let judged = ids.union(affected)
        if !judged.isEmpty {
            let rows = LiveRows(self, access)
            var count = 0
            try access.forEachRow(query.entity, judged.sorted()) { row, layout, id in
                count += 1
                matches[id] = try rows.judged(row, layout, id)
                return true
            }
            judgedCount += count
        }
        for id in judged {
            let place = place(of: id)
            guard let match = matches[id] else {
                if let place { verdicts.removals.append(place) }
                continue
            }
            if let place {
                let old = entries[place]
                if ids.contains(id), watch == nil || old.watched != match.watched {
                    verdicts.modified.insert(id)
                }
                if old.key == match.key {
                    verdicts.replacements.append((place, match))
                    continue
                }
                verdicts.removals.append(place)
            }
            if let end, match.isBehind(end) { continue }
            verdicts.insertions.append(match)
        }
        for id in links where place(of: id) != nil { verdicts.modified.insert(id) }
        verdicts.removals.sort()
        verdicts.insertions.sort { $1.isBehind($0) }
        return verdicts
    }

    private mutating func apply(_ verdicts: Verdicts) -> ResultDifference {
        for (place, entry) in verdicts.replacements { entries[place] = entry }
        guard !isWhole else { return applyWhole(verdicts) }
        let old = ids
        _ = replace(verdicts)
        trim()
        return ResultDifference(from: old, to: ids) { verdicts.modified.contains($0) }
    }

    /// Computes the difference from the removed and inserted objects. Cost: O(log n) for each, and
    /// the copy of ``replace(_:)``.
    private mutating func applyWhole(_ verdicts: Verdicts) -> ResultDifference {
        let modified = verdicts.modified.compactMap { place(of: $0) }
        let replaced = replace(verdicts)
        return ResultDifference(
            removed: replaced.removed, inserted: replaced.inserted, modified: modified)
    }

    /// Applies the removals and insertions. Returns the removed objects with their places before,
    /// and the inserted ones with their places after, both ascending.
    ///
    /// Cost: a copy of the entries between the first and the last change.
    private mutating func replace(
        _ verdicts: Verdicts
    ) -> (removed: [ResultDifference.Placed], inserted: [ResultDifference.Placed]) {
        let removals = verdicts.removals
        let insertions = verdicts.insertions.map { (place: place(before: $0), entry: $0) }
        let removed = removals.map { ResultDifference.Placed(id: entries[$0].id, place: $0) }
        let firsts = [removals.first, insertions.first?.place].compactMap { $0 }
        let ends = [removals.last.map { $0 + 1 }, insertions.last?.place].compactMap { $0 }
        guard let start = firsts.min(), let end = ends.max() else { return ([], []) }
        var inserted: [ResultDifference.Placed] = []
        var new: [Entry] = []
        new.reserveCapacity(end - start - removals.count + insertions.count)
        var (removedCount, insertedCount) = (0, 0)
        for place in start...end {
            while insertedCount < insertions.count, insertions[insertedCount].place == place {
                let entry = insertions[insertedCount].entry
                inserted.append(.init(id: entry.id, place: start + new.count))
                new.append(entry)
                insertedCount += 1
            }
            if place == end { break }
            if removedCount < removals.count, removals[removedCount] == place {
                removedCount += 1
            } else {
                new.append(entries[place])
            }
        }
        entries.replaceSubrange(start..<end, with: new)
        if isSorted {
            for object in removed { keys[object.id] = nil }
            for (_, entry) in insertions { keys[entry.id] = entry.key }
        }
        return (removed, inserted)
    }

    /// Releases entries far beyond the number needed.
    private mutating func trim() {
        guard let held = heldCount, entries.count / 2 > held else { return }
        if isSorted { for entry in entries[held...] { keys[entry.id] = nil } }
        entries.removeSubrange(held...)
        end = entries.last
    }

    /// Runs the query and compares the results.
    private mutating func runAgain(
        _ access: QueryAccess, _ touches: CommitTouches, _ relations: Set<UInt32>
    ) throws -> ResultDifference? {
        let told = ids
        // Keep the current entries until the new run succeeds.
        var next = self
        try next.fill(access)
        var known = isStale ? nil : touches.ids(of: query.entity)
        if known == nil { known = try next.changed(since: sequence, in: Set(told), access) }
        let links = isStale ? nil : touches.sources(of: relations)
        let (old, new) = (watchedValues, next.watchedValues)
        self = next
        let difference = ResultDifference(from: told, to: ids) { id in
            guard let links else { return true }
            if links.contains(id) { return true }
            guard known?.contains(id) ?? true else { return false }
            return watch == nil || old[id] != new[id]
        }
        return difference.isEmpty ? nil : difference
    }

    /// The watched values of the result, by id.
    private var watchedValues: [UInt64: [UInt8]] {
        guard watch != nil else { return [:] }
        return Dictionary(
            entries[window].map { ($0.id, $0.watched) }, uniquingKeysWith: { one, _ in one })
    }

    /// The objects of the result that are also in `told` and were written after version `last`.
    private func changed(
        since last: UInt64, in told: Set<UInt64>, _ access: QueryAccess
    ) throws -> Set<UInt64> {
        var changed: Set<UInt64> = []
        var rest = ids.filter { told.contains($0) }[...]
        while !rest.isEmpty {
            for row in try access.scope.rows(query.entity, Array(rest.prefix(512)))
            where row.sequence > last { changed.insert(row.id) }
            rest = rest.dropFirst(512)
        }
        return changed
    }
}
