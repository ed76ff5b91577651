package import DaybookBytes
import DaybookRecords
import DaybookPages

// A transaction's changes of links, and the links in the state of the transaction.
extension PendingChanges {
    // MARK: Changes

    /// Links two objects. Returns false if the link exists. A to-one relation loses its previous
    /// link.
    ///
    /// Throws `.notFound` if one of the objects does not exist, and `.invalidArgument` for a list
    /// or an unknown relation.
    @discardableResult
    package mutating func link(
        _ relation: UInt32, _ source: UInt64, _ target: UInt64
    ) throws(DaybookError) -> Bool {
        try requireUsable()
        let known = try self.relation(relation, isList: false)
        try require(source, known.entityID, known)
        try require(target, known.targetEntityID, known)
        guard try !isThere(Self.pair(relation, source, target), known) else { return false }
        if known.type == .toOne, let other = try self.target(of: source, known) {
            part(known, source, other)
        }
        add(.link, Self.pair(relation, source, target), known)
        return true
    }

    /// Removes the link between two objects. Returns false if there is none. Throws
    /// `.invalidArgument` as `link` does.
    @discardableResult
    package mutating func unlink(
        _ relation: UInt32, _ source: UInt64, _ target: UInt64
    ) throws(DaybookError) -> Bool {
        try requireUsable()
        let known = try self.relation(relation, isList: false)
        guard try isThere(Self.pair(relation, source, target), known) else { return false }
        part(known, source, target)
        return true
    }

    /// Makes `target` the only target of `source`; nil removes all targets. Throws as `link` does.
    package mutating func setTarget(
        _ relation: UInt32, _ source: UInt64, _ target: UInt64?
    ) throws(DaybookError) {
        try requireUsable()
        if let target {
            _ = try link(relation, source, target)
        } else {
            let known = try self.relation(relation, isList: false)
            if let other = try self.target(of: source, known) { part(known, source, other) }
        }
    }

    /// Removes an existing link.
    mutating func part(_ relation: Schema.Relation, _ source: UInt64, _ target: UInt64) {
        noteOrphans(relation, source, target)
        add(.unlink, Self.pair(relation.relationID, source, target), relation)
    }

    /// Appends an operation on a link. The operation must change the link's state.
    mutating func add(
        _ kind: PendingOperation.Kind, _ link: PendingLinks.Link, _ relation: Schema.Relation
    ) {
        var operation = PendingOperation(
            kind: kind, entity: link.relation, id: link.source, target: link.target)
        if let earlier = pendingLinks.last(link) {
            // The new operation reverts the earlier one: if the earlier one is written, neither is;
            // if it is not written, the new one is.
            operation.superseded = earlier
            operation.isDead = !operations[earlier].isDead
            operations[earlier].isDead = true
        }
        pendingLinks.setLast(link, operations.count)
        if relation.type == .toOne {
            pendingLinks.setTarget(
                link.relation, link.source, kind == .link ? link.target : PendingLinks.nobody)
        }
        append(operation) { $0.append(link.position.span) }
    }

    /// Reverts the last operation, which changed a link and was removed from ``operations``.
    mutating func forgetLast(link operation: PendingOperation) {
        pendingLinks.setLast(link(of: operation), operation.superseded)
        pendingLinks.revert(
            operation, at: operations.count, to: operation.superseded.map { operations[$0] })
        if let earlier = operation.superseded { operations[earlier].isDead = !operation.isDead }
        if pendingLinks.target(operation.entity, operation.id) != nil {
            pendingLinks.setTarget(
                operation.entity, operation.id,
                operation.kind == .link ? PendingLinks.nobody : operation.target)
        }
    }

    private func link(of operation: PendingOperation) -> PendingLinks.Link {
        PendingLinks.Link(
            relation: operation.entity, source: operation.id, target: operation.target,
            position: bytes.span.extracting(operation.bytes).array)
    }

    /// The links of one end that this transaction changed.
    mutating func touchedLinks(_ end: LinkEnd) -> Set<PendingLinks.Link> {
        guard !pendingLinks.isEmpty else { return [] }
        let touched = pendingLinks.operations(on: end, among: operations)
        return Set(touched.map { link(of: operations[$0]) })
    }

    /// Records the objects that may have no links after this link is removed.
    mutating func noteOrphans(
        _ relation: Schema.Relation, _ source: UInt64, _ target: UInt64
    ) {
        let ends = engine.schemas.ends(of: relation.entityID)
        guard
            let rules = ends.first(where: { $0.relation.relationID == relation.relationID })?
                .rules
        else { return }
        if rules.removesOrphanTargets {
            orphans.append(
                PossibleOrphan(
                    end: LinkEnd(relation, isBackward: true, id: target),
                    entity: relation.targetEntityID, operation: operations.count))
        }
        if rules.removesOrphanSources {
            orphans.append(
                PossibleOrphan(
                    end: LinkEnd(relation, isBackward: false, id: source),
                    entity: relation.entityID, operation: operations.count))
        }
    }

    // MARK: Reading its own state

    /// Whether a link, or an element of a list, exists in the state of this transaction.
    mutating func isThere(
        _ link: PendingLinks.Link, _ relation: Schema.Relation
    ) throws(DaybookError) -> Bool {
        if let last = pendingLinks.last(link) {
            return operations[last].kind == .link || operations[last].kind == .listInsert
        }
        if isNewId(relation.entityID, link.source) { return false }
        return try withBase { (reader) throws(DaybookError) in
            guard !link.position.isEmpty else {
                return try reader.isLinked(link.relation, link.source, link.target)
            }
            return try reader.get(
                IndexTree.list(of: link.relation), bytes: link.forwardKey.span) == link.target
        }
    }

    /// The target of a source of a to-one relation.
    private mutating func target(
        of source: UInt64, _ relation: Schema.Relation
    ) throws(DaybookError) -> UInt64? {
        if let known = pendingLinks.target(relation.relationID, source) {
            return known == PendingLinks.nobody ? nil : known
        }
        if isNewId(relation.entityID, source) { return nil }
        let end = LinkEnd(relation, isBackward: false, id: source)
        return try withBase { (reader) throws(DaybookError) in
            try reader.links(of: end, after: 0, limit: 1).first
        }
    }

    /// The ids at the other end, as ``ReadView/links(of:after:limit:)``. Cost: additionally the
    /// changes of the relation since its last read in this transaction.
    package mutating func links(
        of end: LinkEnd, after: UInt64 = 0, limit: Int = .max
    ) throws(DaybookError) -> [UInt64] {
        try requireUsable()
        if end.isList {
            let ids =
                end.isBackward
                ? try listings(end.relation, end.id).map(\.source)
                : try list(end.relation, end.id).map(\.target)
            return ids.distinct(after: after, limit: limit)
        }
        guard !pendingLinks.isEmpty else {
            return try withBase { (reader) throws(DaybookError) in
                try reader.links(of: end, after: after, limit: limit)
            }
        }
        let added = try pendingLinks.added(
            to: end, among: operations, after: after, limit: limit)
        var found: [UInt64] = []
        var last = after
        // Reads again as long as the transaction hides some of the ids that were read.
        while found.count < limit {
            let count = limit - found.count
            let base = try withBase { (reader) throws(DaybookError) in
                try reader.links(of: end, after: last, limit: count)
            }
            found += base.filter { other in
                let link =
                    end.isBackward
                    ? Self.pair(end.relation, other, end.id)
                    : Self.pair(end.relation, end.id, other)
                return pendingLinks.last(link) == nil
            }
            guard base.count == count, let end = base.last else { break }
            last = end
        }
        return Array((found + added).sorted().prefix(max(0, limit)))
    }

    /// The number of objects at the other end; for a list, the number of its elements.
    package mutating func linkCount(of end: LinkEnd) throws(DaybookError) -> Int {
        try requireUsable()
        if end.isList, !end.isBackward { return try list(end.relation, end.id).count }
        guard !end.isList, pendingLinks.isEmpty else { return try links(of: end).count }
        return try withBase { (reader) throws(DaybookError) in try reader.linkCount(of: end) }
    }

    // MARK: Checks

    /// Returns the relation of a number. Throws `.invalidArgument` if it does not exist, or if its
    /// links have positions and `isList` is false, or the reverse.
    func relation(_ id: UInt32, isList: Bool) throws(DaybookError) -> Schema.Relation {
        let known = engine.schemas.relation(id)
        guard let known, known.type.hasPositions == isList else {
            throw DaybookError(
                .invalidArgument,
                known == nil
                    ? "The store has no relation \(id)."
                    : "\(engine.schemas.schema.relationName(id)) is"
                        + " \(isList ? "not a list" : "a list").",
                details: ["relation": String(id)])
        }
        return known
    }

    /// Throws `.notFound` if an object to link does not exist.
    mutating func require(
        _ id: UInt64, _ entity: UInt32, _ relation: Schema.Relation
    ) throws(DaybookError) {
        guard try !contains(entity, id) else { return }
        let schema = engine.schemas.schema
        let name = schema.entity(entity)?.name ?? "entity \(entity)"
        let relationName = schema.relationName(relation.relationID)
        throw DaybookError(
            .notFound,
            "There is no '\(name)' with id \(id) to link by '\(relationName)'. Put it first, or"
                + " link a stored object.",
            details: ["entity": name, "id": String(id), "relation": relationName])
    }

    static func pair(
        _ relation: UInt32, _ source: UInt64, _ target: UInt64
    ) -> PendingLinks.Link {
        PendingLinks.Link(relation: relation, source: source, target: target, position: [])
    }
}
