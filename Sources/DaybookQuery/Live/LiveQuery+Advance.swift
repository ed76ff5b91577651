import DaybookBytes
package import DaybookEngine
import DaybookRecords

extension LiveQuery {
    /// What was found out about objects that were touched.
    private struct Verdicts {
        /// Places of what goes, among what was held.
        var removals: [Int] = []
        /// What comes.
        var insertions: [Entry] = []
        /// What stays in its place.
        var replacements: [(place: Int, entry: Entry)] = []
        /// What is told to have changed if it is still in the result.
        var modified: Set<UInt64> = []
    }

    /// Brings the result to another version, and tells what became of it: nil where it is the same
    /// and nothing in it has changed.
    ///
    /// Where it throws, the next call makes good: its difference is from the last result that was
    /// told. Cost: a look at each object that was touched, and at each from which a touched one is
    /// seen over links; where the query leaves out equal ones or is sorted by relevance, where a
    /// limit runs dry, and where those are very many, a run of the query.
    ///
    /// - Parameter touches: what the commits since ``sequence`` touched, or more; nil where that
    ///   is not known. A version that is older than the result is passed over.
    package mutating func advance(
        to access: QueryAccess, _ touches: CommitTouches?
    ) throws -> ResultDifference? {
        do {
            guard try access.view?.sequence ?? 0 >= sequence else { return nil }
            if touches == nil { isStale = true }
            return try advanced(to: access, touches ?? CommitTouches())
        } catch {
            // What was touched is not told again.
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
            // Perhaps an index says that the result has no need of what cannot be read.
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

    /// Whether what was touched can change which objects are found, or the objects, whose own
    /// relations are some.
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

    /// The relations whose links are told as changes of the objects that they lead from.
    private func ownRelations(_ access: QueryAccess) -> Set<UInt32> {
        if let watch { return watch.relations }
        return Set(
            access.schemas.schema.relations(from: query.entity).map(\.relationID))
    }

    /// - Parameters:
    ///   - ids: objects whose rows were touched.
    ///   - affected: objects that see something else over links.
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
        _ = replaceStretch(verdicts)
        trim()
        return ResultDifference(from: old, to: ids) { verdicts.modified.contains($0) }
    }

    /// Only the stretch between the first and the last that comes or goes is compared.
    private mutating func applyWhole(_ verdicts: Verdicts) -> ResultDifference {
        let modified = verdicts.modified.compactMap { id in place(of: id).map { (id, $0) } }
        let stretch = replaceStretch(verdicts)
        var difference = ResultDifference(
            from: stretch.old, to: stretch.new, offset: stretch.start
        ) { verdicts.modified.contains($0) }
        let range = stretch.start..<(stretch.start + stretch.old.count)
        let outside = modified.map(\.1).filter { !range.contains($0) }
        difference.modifications = (difference.modifications + outside).sorted()
        return difference
    }

    /// Takes out and puts in; returns the ids of the stretch in which that was, before and after.
    private mutating func replaceStretch(
        _ verdicts: Verdicts
    ) -> (start: Int, old: [UInt64], new: [UInt64]) {
        var (start, end) = (entries.count, 0)
        for place in verdicts.removals {
            start = min(start, place)
            end = max(end, place + 1)
        }
        for entry in verdicts.insertions {
            let place = place(before: entry)
            start = min(start, place)
            end = max(end, place)
        }
        guard start <= end else { return (0, [], []) }
        let old = Array(entries[start..<end])
        let gone = Set(verdicts.removals)
        var new: [Entry] = []
        new.reserveCapacity(old.count + verdicts.insertions.count)
        var arrivals = verdicts.insertions[...]
        for (offset, entry) in old.enumerated() {
            while let next = arrivals.first, entry.isBehind(next) {
                new.append(next)
                arrivals.removeFirst()
            }
            if !gone.contains(start + offset) { new.append(entry) }
        }
        new += arrivals
        entries.replaceSubrange(start..<end, with: new)
        if isSorted {
            for place in verdicts.removals { keys[old[place - start].id] = nil }
            for entry in verdicts.insertions { keys[entry.id] = entry.key }
        }
        return (start, old.map(\.id), new.map(\.id))
    }

    /// Lets go of objects far behind what is needed.
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
        // What is held stays as it was until all is read.
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

    /// Those of the result that were written since, and were among some.
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
