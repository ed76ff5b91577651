import DaybookBytes
package import DaybookRecords

/// The inverse of commits, as operations of one write transaction: it restores rows, removes
/// inserted objects, and removes and adds links. It finds later changes by comparing rows field by
/// field and links one by one, and keeps them unless the policy is to overwrite.
///
/// It evaluates all changes before the first operation, so a refusal names every conflict.
struct Undo {
    typealias Object = UndoHistory.Object

    /// A row to put.
    struct Put {
        var object: Object
        var layout: UInt32
        var row: [UInt8]
        var isRestored: Bool
        /// The properties that it changes, for the description of a conflict.
        var properties: Set<UInt32>
    }

    var history: UndoHistory
    let policy: UndoPolicy
    let transaction: WriteTransaction
    /// Later commits that have no effect, because they were undone.
    let cancelled: SequenceRanges

    var conflicts: [UndoObstacle] = []
    var puts: [Put] = []
    var removals: [Object] = []
    var unlinks: [ListEntry] = []
    var relinks: [ListEntry] = []
    /// The objects that will be restored. The ends of restored links may be among them.
    private(set) var restored: Set<Object> = []
    var comparison: RowComparison
    /// The later changes of links, without those of cancelled commits.
    let later: LaterLinks
    /// See ``orphansThatStayed()``.
    var stayed: [UInt64]?

    init(
        _ history: UndoHistory, _ policy: UndoPolicy, _ transaction: WriteTransaction
    ) {
        self.history = history
        self.policy = policy
        self.transaction = transaction
        cancelled = history.cancellation.cancelled()
        comparison = history.comparison
        later = LaterLinks(history, without: cancelled)
    }

    /// Runs the undo. Throws `.conflict` with ``UndoObstacles`` as its cause if there are conflicts
    /// and the policy is to refuse; then nothing is changed.
    mutating func run() throws(DaybookError) -> UndoResult {
        for object in history.objectOrder { try judge(object) }
        try judgeLinks()
        if policy == .refuse, !conflicts.isEmpty { throw refusal() }
        return try apply()
    }

    /// Records a conflict and returns whether the policy is to overwrite the later change.
    mutating func overwrites(_ conflict: UndoObstacle) -> Bool {
        conflicts.append(conflict)
        return policy == .overwrite
    }

    // MARK: Objects

    private mutating func judge(_ object: Object) throws(DaybookError) {
        guard let effect = history.objects[object] else { return }
        let counting = counting(effect.later)
        let later = joined(counting)
        let now = try transaction.changes.row(object.entity, object.id)
        switch (effect.before, effect.after) {
        case (nil, nil): break
        case (nil, .some(let after)):
            noteLostLinks(of: object, counting)
            // After its removal, any current version of the object is a later one.
            guard let now, !later.contains(where: { $0.kind == .removed }) else { return }
            try judgeRemoval(of: object, after, now, later)
        case (.some(let before), nil):
            try judgeRestoring(object, before, now, later)
        case (.some(let before), .some(let after)):
            guard let now, !later.contains(where: { $0.kind == .removed }) else { return }
            try judgeChange(of: object, (before, after, now), later)
        }
    }

    /// Resolves an object that the commits inserted: removes it.
    private mutating func judgeRemoval(
        of object: Object, _ after: StoredRow, _ now: StoredRow,
        _ later: [UndoHistory.LaterChange]
    ) throws(DaybookError) {
        var properties = try comparison.differences(after, now, object.entity)
        for case .changed(let some) in later.map(\.kind) { properties.formUnion(some) }
        var removes = true
        if !properties.isEmpty || !later.isEmpty {
            let conflict = UndoObstacle(
                reason: .changed, entity: object.entity, id: object.id, properties: properties,
                sequences: later.map(\.sequence).distinctSorted())
            removes = overwrites(conflict) && removes
        }
        let links = try laterLinks(of: object)
        if !links.isEmpty {
            let conflict = UndoObstacle(
                reason: .linked, entity: object.entity, id: object.id,
                sequences: links.map(\.sequence).distinctSorted())
            removes = overwrites(conflict) && removes
        }
        let losses = lossesForRules(of: object, linksSince(of: object))
        if !losses.isEmpty {
            let conflict = UndoObstacle(
                reason: .rules, entity: object.entity, id: object.id, sequences: losses)
            removes = overwrites(conflict) && removes
        }
        if removes { removals.append(object) }
    }

    /// Records a conflict for an inserted object that was removed later. Rules may have removed
    /// other objects with it.
    private mutating func noteLostLinks(
        of object: Object, _ later: [UndoHistory.LaterChange]
    ) {
        let removals = later.filter { $0.kind == .removed }.map(\.sequence)
        let hasRules = history.engine.schemas.ends(of: object.entity).contains(where: \.hasRules)
        guard hasRules, !removals.isEmpty else { return }
        guard linksSince(of: object).contains(where: \.isLink) else { return }
        conflicts.append(
            UndoObstacle(
                reason: .rules, entity: object.entity, id: object.id, sequences: removals))
    }

    /// Resolves an object that the commits removed: restores it.
    private mutating func judgeRestoring(
        _ object: Object, _ before: StoredRow, _ now: StoredRow?,
        _ later: [UndoHistory.LaterChange]
    ) throws(DaybookError) {
        let layout = try comparison.layout(object.entity)
        let row = try comparison.translate(before, object.entity)
        var put = Put(
            object: object, layout: layout.layout.layoutID, row: row, isRestored: true,
            properties: [])
        let misfits = try misfits(before, of: object)
        guard let now else {
            guard later.isEmpty else { return }
            guard misfits.isEmpty || overwrites(.retyped(misfits, of: object)) else { return }
            puts.append(put)
            restored.insert(object)
            return
        }
        let properties = try comparison.differences(before, now, object.entity)
            .subtracting(misfits)
        if !misfits.isEmpty { conflicts.append(.retyped(misfits, of: object)) }
        guard !properties.isEmpty else { return }
        let conflict = UndoObstacle(
            reason: .putAnew, entity: object.entity, id: object.id, properties: properties,
            sequences: later.map(\.sequence).distinctSorted())
        guard overwrites(conflict) else { return }
        put.isRestored = false
        put.properties = properties
        if !misfits.isEmpty {
            let now = try comparison.translate(now, object.entity)
            put.row = try layout.merging(now.span, row.span) { field in
                !misfits.contains(layout.layout.fields[field].propertyID)
            }
        }
        puts.append(put)
    }

    /// Resolves an object that the commits changed: restores the changed fields one by one.
    private mutating func judgeChange(
        of object: Object, _ rows: (before: StoredRow, after: StoredRow, now: StoredRow),
        _ later: [UndoHistory.LaterChange]
    ) throws(DaybookError) {
        let layout = try comparison.layout(object.entity)
        let retyped = try retyped(rows.before, rows.after, object)
        if !retyped.isEmpty { conflicts.append(.retyped(retyped, of: object)) }
        let before = try comparison.translate(rows.before, object.entity)
        let after = try comparison.translate(rows.after, object.entity)
        let now = try comparison.translate(rows.now, object.entity)
        let differing = Set(try layout.differences(now.span, before.span))
        let changedSince = Set(try layout.differences(now.span, after.span))
        var taken: Set<Int> = []
        var contested: Set<UInt32> = []
        var contestedFields: Set<Int> = []
        for field in try layout.differences(before.span, after.span)
        where differing.contains(field) {
            let property = layout.layout.fields[field].propertyID
            if retyped.contains(property) { continue }
            let isTouched = later.contains { $0.changes(property) }
            if changedSince.contains(field) || isTouched {
                contested.insert(property)
                contestedFields.insert(field)
            } else {
                taken.insert(field)
            }
        }
        if !contested.isEmpty {
            let conflict = UndoObstacle(
                reason: .changed, entity: object.entity, id: object.id, properties: contested,
                sequences: later.filter { change in contested.contains { change.changes($0) } }
                    .map(\.sequence).distinctSorted())
            if overwrites(conflict) { taken.formUnion(contestedFields) }
        }
        guard !taken.isEmpty else { return }
        let row = try layout.merging(now.span, before.span) { taken.contains($0) }
        puts.append(
            Put(
                object: object, layout: layout.layout.layoutID, row: row, isRestored: false,
                properties: Set(taken.map { layout.layout.fields[$0].propertyID })))
    }

    // MARK: Later changes

    /// Returns the later links from and to an object that still exist.
    private mutating func laterLinks(
        of object: Object
    ) throws(DaybookError) -> [UndoHistory.LaterLink] {
        var found: [UndoHistory.LaterLink] = []
        for link in linksSince(of: object) where link.isLink {
            if try isThere(link.link) { found.append(link) }
        }
        return found
    }

    private func linksSince(of object: Object) -> [UndoHistory.LaterLink] {
        later.byObject[object] ?? []
    }

    /// Whether a link, or an element at this position of a list, exists now.
    func isThere(_ link: ListEntry) throws(DaybookError) -> Bool {
        guard let relation = history.engine.schemas.relation(link.relation) else { return false }
        return try transaction.changes.isThere(link, relation)
    }

    func refusal() -> DaybookError {
        let names = conflicts.prefix(3).map { $0.text(history.engine.schemas.schema) }
        let more = conflicts.count > 3 ? ", and \(conflicts.count - 3) more" : ""
        let commits = PendingMetadata.text(history.range)
        return DaybookError(
            .conflict,
            "Commit \(commits) was not undone because later commits changed the same data: "
                + names.joined(separator: ", ") + more
                + ". Undo the later commits first, or let the undo skip or overwrite their"
                + " changes.",
            cause: UndoObstacles(conflicts: conflicts),
            details: ["sequence": commits, "count": String(conflicts.count)])
    }
}

extension RelationEnd {
    /// Whether a removal of an object or link at this end has effects other than removing links.
    var hasRules: Bool {
        rules.onSourceRemoved != .nullify || rules.onTargetRemoved != .nullify
            || rules.removesOrphanTargets || rules.removesOrphanSources
    }
}

extension UndoObstacle {
    /// A description for people, like `Order 7 (summary, price)`.
    package func text(_ schema: Schema) -> String {
        var text = "\(schema.entity(entity)?.name ?? "entity \(entity)") \(id)"
        let names = names(schema)
        if !names.isEmpty { text += " (\(names.joined(separator: ", ")))" }
        return text
    }

    /// The names of the properties and of the relation.
    package func names(_ schema: Schema) -> [String] {
        var left = properties
        var names: [String] = []
        // Uses the name in the newest layout that contains the property.
        for layout in schema.layouts(ofEntity: entity) where !left.isEmpty {
            for field in layout.fields where left.remove(field.propertyID) != nil {
                names.append(field.name)
            }
        }
        if relation > 0, let relation = schema.relation(relation) { names.append(relation.name) }
        return names
    }
}
