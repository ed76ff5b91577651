import DaybookBytes
import DaybookEngine
import DaybookRecords

// Executes the access paths of the plan.
extension QueryRun {
    /// Calls `body` with the matching rows of a path until it returns false: in the order of ids,
    /// or, if `inOrder` is false, in the order that is fastest to read.
    func forEachMatch(
        _ path: AccessPath, inOrder: Bool = true,
        _ body: (_ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64) throws -> Bool
    ) throws {
        let judge =
            path.residual == .always(true)
            ? nil : RowEvaluator(path.residual, access, entity: path.entity)
        var count = 0
        var seen = 0
        defer { note(count, at: path.number, rowCount: seen) }
        func visit(_ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64) throws -> Bool {
            seen &+= 1
            if seen & 4095 == 0 { try access.checkCancellation() }
            if let judge, try !judge.isTrue(of: row, layout: layout, id: id) { return true }
            count += 1
            return try body(row, layout, id)
        }
        switch path.kind {
        case .nothing: break
        case .scan(let ids):
            try access.scan(path.entity, ids: ids, inOrder: inOrder) { try visit($0, $1, $2) }
        default: try access.forEachRow(path.entity, ids(at: path)) { try visit($0, $1, $2) }
        }
    }

    /// The ids of the objects that match the path's condition, ascending. Reads no row if the path
    /// is exact.
    func matches(_ path: AccessPath) throws -> [UInt64] {
        if path.isExact {
            let found = try ids(at: path)
            note(found.count, at: path.number)
            return found
        }
        if let found = try scannedIds(path) { return found }
        var found: [UInt64] = []
        try forEachMatch(path) { _, _, id in
            found.append(id)
            return true
        }
        return found
    }

    /// The candidate ids of a path, ascending and distinct.
    func ids(at path: AccessPath) throws -> [UInt64] {
        try access.checkCancellation()
        switch path.kind {
        case .nothing: return []
        case .ids(let ids): return ids
        case .scan(let range):
            var ids: [UInt64] = []
            try access.scan(path.entity, ids: range) { _, _, id in
                ids.append(id)
                if ids.count & 4095 == 0 { try access.checkCancellation() }
                return true
            }
            return ids
        case .keys(let index, let spans, _): return try ids(index, spans, path)
        case .hashes(let index, let hashes):
            var ids: [UInt64] = []
            for hash in hashes { ids += try access.ids(index, hash: hash) }
            return try listing(
                ids.ascending(), index, hashes.map { KeySpan(ofHash: $0) }, path)
        case .intersection(let paths): return try intersection(paths)
        case .union(let paths):
            var ids = GatheredIds()
            for path in paths { ids.add(try candidates(path)) }
            return ids.ascending()
        case .join(let relation, let target):
            guard let number = relation.relationID else { return [] }
            // If both ends have many links, each object occurs many times.
            var ids = GatheredIds()
            for (place, id) in try matches(target).enumerated() {
                if place & 1023 == 1023 { try access.checkCancellation() }
                let end = LinkEnd(
                    relation: number, isBackward: !relation.isBackward, id: id,
                    isList: relation.isList)
                ids.add(try access.scope.links(of: end))
            }
            return ids.ascending()
        }
    }

    /// The counted candidate ids of a path that is part of another.
    private func candidates(_ path: AccessPath) throws -> [UInt64] {
        let found = try ids(at: path)
        note(found.count, at: path.number)
        return found
    }

    private func intersection(_ paths: [AccessPath]) throws -> [UInt64] {
        var common: [UInt64]?
        for path in paths {
            if let known = common {
                if known.isEmpty { return [] }
                common = known.common(with: try candidates(path))
            } else {
                common = try candidates(path)
            }
        }
        return common ?? []
    }

    private func ids(
        _ index: IndexPlan.Index, _ spans: [KeySpan], _ path: AccessPath
    ) throws -> [UInt64] {
        var ids: [UInt64] = []
        // A string may contain several words with the same prefix.
        var idsOfWords = GatheredIds()
        for span in spans {
            try access.forEachId(index, from: span.from, before: span.before, isDescending: false) {
                if index.form == .text { idsOfWords.add($0) } else { ids += $0 }
                return true
            }
            try access.checkCancellation()
        }
        if index.form == .text { ids = idsOfWords.ascending() }
        return try listing(ids.ascending(), index, spans, path)
    }

    /// Corrects the ids that an index returns for some keys, if the index is not complete.
    private func listing(
        _ ids: [UInt64], _ index: IndexPlan.Index, _ spans: [KeySpan], _ path: AccessPath
    ) throws -> [UInt64] {
        guard try !truth.isTold(by: index, of: path.entity) else { return ids }
        let listed = try access.listed(ids, of: path.entity, in: index)
        let unlisted = try access.unlisted(path.entity, in: index, spans)
        guard !unlisted.isEmpty else { return listed }
        let judge = RowEvaluator(path.condition, access, entity: path.entity)
        var found: [UInt64] = []
        try access.forEachRow(path.entity, unlisted) { row, layout, id in
            if try judge.isTrue(of: row, layout: layout, id: id) { found.append(id) }
            return true
        }
        return (listed + found).ascending()
    }
}

extension QueryAccess {
    /// The objects that may have some of the keys and whose entries in the index are not current,
    /// ascending.
    func unlisted(
        _ entity: UInt32, in index: IndexPlan.Index, _ spans: [KeySpan]
    ) throws -> [UInt64] {
        // A text index cannot be searched for words among the changes of a transaction.
        guard index.form != .text else { return try unlisted(entity, in: index) }
        var ids: [UInt64] = []
        for span in spans {
            ids += try unlisted(entity, in: index, from: span.from, before: span.before)
        }
        return ids.ascending()
    }
}

extension KeySpan {
    /// The span that represents a hash in lookups among a transaction's changes.
    init(ofHash hash: UInt64) {
        let key = QueryAccess.key(ofHash: hash)
        self.init(from: key, before: key + [0], isPoint: true)
    }
}
