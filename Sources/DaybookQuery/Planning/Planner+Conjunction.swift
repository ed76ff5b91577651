import DaybookBytes
import DaybookEngine
import DaybookRecords

/// A path for some parts of an `and`.
private struct PlanOption {
    var path: AccessPath
    /// The parts that the path determines exactly.
    var whole: PartSet
}

extension Planner {
    /// The maximum number of paths to compare, those with the lowest estimates. Each holds its
    /// residual parts, which may be very many.
    private static let optionCountMax = 64

    /// The cheapest path to the objects that match all parts.
    func conjunction(_ parts: [BoundCondition], of entity: UInt32) throws -> AccessPath? {
        let parts = parts.flatMap { $0.conjuncts }
        var options: [PlanOption] = []
        for index in try indexes(of: entity, over: parts.plainProperties) {
            if index.index.form == .text {
                options += try wordOptions(index, parts, of: entity)
                continue
            }
            guard let option = try option(index, parts, of: entity) else { continue }
            if case .nothing = option.path.kind { return option.path }
            options.append(option)
        }
        for (number, part) in parts.enumerated() where !part.isAboutColumn {
            guard let path = try path(to: part, of: entity) else { continue }
            if case .nothing = path.kind { return path }
            options.append(
                PlanOption(
                    path: path,
                    whole: path.residual == .always(true) ? PartSet(number) : PartSet()))
        }
        guard options.count > 1 else { return options.first.map { left($0, parts) } }
        options.sort { $0.path.estimate < $1.path.estimate }
        options = Array(options.prefix(Self.optionCountMax))
        let singles = options.map { left($0, parts) }
        let demand = PlanDemand.allIds
        guard
            let best = singles.min(by: {
                demand.cost($0, share: nil) < demand.cost($1, share: nil)
            })
        else { return nil }
        guard let both = try intersection(options, parts, of: entity) else { return best }
        let isCheaper = demand.cost(both, share: nil) < demand.cost(best, share: nil)
        return isForced || isCheaper ? both : best
    }

    /// The paths of a text index for each part that searches for words.
    private func wordOptions(
        _ planned: PlannedIndex, _ parts: [BoundCondition], of entity: UInt32
    ) throws -> [PlanOption] {
        var options: [PlanOption] = []
        for (number, part) in parts.enumerated() {
            guard case .words(let column, let words) = part, planned.isOver(column, at: 0) else {
                continue
            }
            var paths: [AccessPath] = []
            for word in Set(words) {
                let from = IndexProbe(word: word.text, isPrefix: word.isPrefix).bytes
                guard let before = IndexProbe.end(of: from) else { continue }
                let span = KeySpan(from: from, before: before, isPoint: !word.isPrefix)
                paths.append(
                    try keysPath(planned, [span], .word, .words(column, [word]), of: entity))
            }
            paths.sort { $0.estimate < $1.estimate }
            guard var best = paths.first else { continue }
            // Words that nearly all objects have are cheaper to evaluate in the rows.
            let saved = Double(best.estimate) * PlanCost.judging(part)
            let few = [best] + paths.dropFirst().filter { isForced || $0.cost < saved }
            if few.count > 1 {
                best = make(
                    .intersection(few), entity, part, estimate: best.estimate,
                    cost: few.reduce(0) { $0 + $1.cost })
            }
            let isWhole = few.count == Set(words).count
            options.append(PlanOption(path: best, whole: isWhole ? PartSet(number) : PartSet()))
        }
        return options
    }

    /// The path of an option with its residual of all parts.
    private func left(_ option: PlanOption, _ parts: [BoundCondition]) -> AccessPath {
        var path = option.path
        path.residual = .conjunction(parts, without: option.whole)
        return path
    }

    /// The intersection of several paths, as far as it pays; nil if a single path is as good.
    private func intersection(
        _ options: [PlanOption], _ parts: [BoundCondition], of entity: UInt32
    ) throws -> AccessPath? {
        let options = options.filter { if case .scan = $0.path.kind { false } else { true } }
        guard let first = options.first, options.count > 1 else { return nil }
        let count = Double(max(1, try self.count(of: entity)))
        var paths = [first.path]
        var whole = first.whole
        var estimate = Double(first.path.estimate)
        var cost = first.path.cost
        for option in options.dropFirst() where isForced || !option.whole.isSubset(of: whole) {
            // Assumes that the conditions are independent.
            let next = estimate * Double(option.path.estimate) / count
            let isWhole = whole.union(option.whole).count == parts.count
            let saved = isWhole ? estimate : estimate - next
            guard isForced || option.path.cost < saved * PlanCost.row else { continue }
            paths.append(option.path)
            whole.formUnion(option.whole)
            cost += option.path.cost + Double(option.path.estimate) * PlanCost.comparison
            estimate = next
        }
        guard paths.count > 1 else { return nil }
        let both = make(
            .intersection(paths), entity, .conjunction(parts),
            isLiving: paths.contains(where: \.isLiving),
            estimate: Int(min(estimate.rounded(.up), Double(first.path.estimate))), cost: cost)
        return left(PlanOption(path: both, whole: whole), parts)
    }

    /// The path of an index for the parts; nil if it cannot serve any.
    private func option(
        _ planned: PlannedIndex, _ parts: [BoundCondition], of entity: UInt32
    ) throws -> PlanOption? {
        // The keys of the properties so far; nil before the first one.
        var prefixes: [KeySpan]?
        var whole = PartSet()
        var used = PartSet()
        var use: AccessPath.IndexUse = .equality
        var depth = 0
        for place in planned.columns.indices {
            guard let (keys, saysWhole, isUsed) = planned.keys(parts, at: place),
                keys.spans.canFollow(prefixes ?? [], countMax: planned.spanCountMax)
            else { break }
            // A hash index can look up only single values.
            let arePoints = keys.spans.allSatisfy(\.isPoint)
            if !planned.isOrdered, !arePoints { break }
            if keys.spans.isEmpty {
                let path = make(.nothing, entity, .always(false), estimate: 0, cost: 0)
                return PlanOption(path: path, whole: whole)
            }
            prefixes =
                prefixes?.flatMap { prefix in keys.spans.map { prefix.followed(by: $0) } }
                ?? keys.spans
            whole.formUnion(saysWhole)
            used.formUnion(isUsed)
            if keys.use != .equality { use = keys.use }
            depth += 1
            if !arePoints { break }
        }
        guard let prefixes else { return nil }
        let condition = BoundCondition.conjunction(
            parts.indices.filter { used.contains($0) }.map { parts[$0] })
        if planned.isOrdered {
            return PlanOption(
                path: try keysPath(planned, prefixes, use, condition, of: entity), whole: whole)
        }
        guard depth == planned.columns.count else { return nil }
        return PlanOption(
            path: try hashesPath(planned, prefixes.map(\.from), condition, of: entity),
            whole: PartSet())
    }

    private func keysPath(
        _ planned: PlannedIndex, _ spans: [KeySpan], _ use: AccessPath.IndexUse,
        _ condition: BoundCondition, of entity: UInt32
    ) throws -> AccessPath {
        let count = try self.count(of: entity)
        let listed = try estimate(of: spans, count) { span in
            try access.count(planned.index, from: span.from, before: span.before, limit: .max)
        }
        let unlisted = try unlistedCount(spans, entity, in: planned)
        return make(
            .keys(planned.index, spans, use), entity, condition,
            estimate: min(count, listed + unlisted), cost: cost(spans.count, listed, unlisted))
    }

    private func hashesPath(
        _ planned: PlannedIndex, _ keys: [[UInt8]], _ condition: BoundCondition, of entity: UInt32
    ) throws -> AccessPath {
        let hashes = keys.map { XXH64.hash($0.span) }
        let count = try self.count(of: entity)
        let listed = try estimate(of: hashes, count) { hash in
            try access.ids(planned.index, hash: hash, limit: 4096).count
        }
        let unlisted = try unlistedCount(hashes.map { KeySpan(ofHash: $0) }, entity, in: planned)
        return make(
            .hashes(planned.index, hashes), entity, condition,
            estimate: min(count, listed + unlisted), cost: cost(hashes.count, listed, unlisted))
    }

    private func cost(_ searches: Int, _ listed: Int, _ unlisted: Int) -> Double {
        Double(searches) * PlanCost.search + Double(listed) * PlanCost.entry
            + Double(unlisted) * PlanCost.row
    }

    /// The sum over all parts, extrapolated from the first ones if there are many.
    private func estimate<Part>(
        of parts: [Part], _ count: Int, _ counting: (Part) throws -> Int
    ) throws -> Int {
        var sum = 0
        let sample = parts.prefix(32)
        for part in sample { sum += try counting(part) }
        guard sample.count < parts.count else { return min(sum, count) }
        return min(count, max(1, sum) * parts.count / sample.count)
    }
}

extension [KeySpan] {
    /// Whether these spans may be appended to the prefixes: not if there are too many, or if the
    /// keys are longer than an index stores whole.
    fileprivate func canFollow(_ prefixes: [KeySpan], countMax: Int) -> Bool {
        let combined = count * Swift.max(1, prefixes.count)
        guard combined <= countMax else { return false }
        let length = lengthMax + prefixes.lengthMax
        return length < IndexKey.lengthMax
            && length * Swift.max(1, combined) <= 4 * IndexKey.lengthMax
    }

    /// The length of the longest bound, in bytes.
    var lengthMax: Int { reduce(0) { Swift.max($0, $1.from.count, $1.before.count) } }
}

extension KeySpan {
    /// The keys that begin with this span, which must be a point, and continue with another span.
    func followed(by span: KeySpan) -> KeySpan {
        KeySpan(from: from + span.from, before: from + span.before, isPoint: span.isPoint)
    }
}

extension BoundCondition {
    /// The parts that must all be true.
    var conjuncts: [BoundCondition] {
        switch self {
        case .and(let parts): parts.flatMap(\.conjuncts)
        case .not(.or(let parts)): parts.flatMap { BoundCondition.not($0).conjuncts }
        case .not(.not(let inner)): inner.conjuncts
        case .always(true): []
        default: [self]
        }
    }

    /// Whether indexes can serve it directly.
    var isAboutColumn: Bool {
        switch self {
        case .column, .not(.column), .words: true
        default: false
        }
    }

    /// All parts except those at some places.
    static func conjunction(
        _ parts: [BoundCondition], without places: PartSet
    ) -> BoundCondition {
        .conjunction(parts.enumerated().filter { !places.contains($0.offset) }.map(\.element))
    }
}

extension [BoundCondition] {
    /// The properties that these conditions test and that indexes may cover, without duplicates.
    var plainProperties: [UInt32] {
        var found: [UInt32] = []
        for condition in self {
            switch condition {
            case .column(let column, _), .not(.column(let column, _)), .words(let column, _):
                let number = column.property.propertyID
                if column.isPlain, !found.contains(number) { found.append(number) }
            default: continue
            }
        }
        return found
    }
}
