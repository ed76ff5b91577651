import DaybookBytes
import DaybookRecords
import DaybookPages

/// The decision about a put to an entity with unique indexes, made before anything changes.
struct PutPlan {
    /// The id that the row is written to; 0 for a new one.
    var id: UInt64
    var mode: PutMode
    /// The keys of the row in the unique indexes.
    var keys: [IndexKey] = []
    /// Objects that the put removes.
    var victims: [UInt64] = []
    /// Whether nothing is written; ``id`` is that of the object that stays.
    var isIgnored = false
    /// Whether the object was found by its primary key.
    var isFoundByKey = false
}

/// A key of the row, and the other object that has it.
private struct KeyConflict {
    var index: IndexPlan.Index
    var owner: UInt64
}

extension PendingChanges {
    /// Puts a row of an entity that is not plain.
    mutating func putIndexed(
        _ entity: UInt32, _ id: UInt64, _ layout: UInt32, _ row: Span<UInt8>, _ options: PutOptions
    ) throws(DaybookError) -> PutOutcome {
        try requireObjects(entity)
        var options = options
        var put = PutPlan(id: id, mode: options.mode)
        while true {
            let id = put.id
            if let whole = try completed(row, layout, entity, id) {
                try resolve(&put, entity, layout, whole.span, options)
            } else {
                try resolve(&put, entity, layout, row, options)
            }
            if put.isIgnored { return PutOutcome(put.id, .ignored) }
            // Undeclared values come from the object that the row replaces. If the keys led to
            // another object, its values take part, and the keys are resolved again.
            guard id != put.id, try completed(row, layout, entity, put.id) != nil else { break }
            options.onConflict = options.onConflict.mapValues { $0 == .update ? .fail : $0 }
        }
        if let since = options.unchangedSince { try requireUnchanged(entity, put.id, since: since) }
        if let whole = try completed(row, layout, entity, put.id) {
            return try write(whole.span, layout, entity, put, options)
        }
        return try write(row, layout, entity, put, options)
    }

    /// Decides which object a row is written to and which objects it removes. Changes nothing.
    private mutating func resolve(
        _ put: inout PutPlan, _ entity: UInt32, _ layout: UInt32, _ row: Span<UInt8>,
        _ options: PutOptions
    ) throws(DaybookError) {
        guard let reader = keyReaders[entity] else {
            preconditionFailure("an entity without indexes is plain")
        }
        put.victims = []
        put.keys = try keys(of: row, layout: layout, entity, in: reader.uniqueIndexes)
        try reader.check(put.keys)
        if !putsWholeRows { try reader.checkVectors(of: row, layout: layout) }
        try resolvePrimaryKey(&put, reader, layout, row, options)
        try resolveConflicts(&put, reader, layout, row, options)
    }

    /// Executes a decision.
    private mutating func write(
        _ row: Span<UInt8>, _ layout: UInt32, _ entity: UInt32, _ put: PutPlan,
        _ options: PutOptions
    ) throws(DaybookError) -> PutOutcome {
        if put.isFoundByKey, options.upsert == .modified, put.victims.isEmpty,
            let stored = try readableRow(entity, put.id), stored.layout == layout,
            stored.bytes.isEqual(to: row)
        {
            return PutOutcome(put.id, .unchanged)
        }
        let outcome = try outcome(
            ofPut: entity, put.id, put.mode, isAssignable: options.isAssignable,
            givenIndex(entity))
        let id = outcome.id
        // Every read that can fail comes before the first change.
        let old = try uniqueKeys(entity, id)
        var freed: [(id: UInt64, keys: [IndexKey])] = []
        for victim in put.victims where victim != id {
            freed.append((victim, try uniqueKeys(entity, victim)))
        }
        for victim in freed { _ = try remove(entity, victim.id) }
        free(old, entity, id)
        if contested != nil { try contest(put.keys, entity, id) }
        let indexes = keyReaders[entity]?.uniqueIndexes ?? []
        for (index, key) in zip(indexes, put.keys) where !key.hasNull {
            owners.set(index.indexID, key, .object(id), operation: operations.count)
        }
        add(put: row, layout: layout, entity, id)
        return outcome
    }

    /// Finds the object with the primary key of the row. No object may change its own key.
    private mutating func resolvePrimaryKey(
        _ put: inout PutPlan, _ reader: KeyReader, _ layout: UInt32, _ row: Span<UInt8>,
        _ options: PutOptions
    ) throws(DaybookError) {
        let plan = reader.plan
        guard let index = reader.primaryKey, let key = put.keys.first else { return }
        let owner = try owner(plan.entity, index, key, putting: put.id)
        if let owner, put.id != 0, put.mode == .put, try !contains(plan.entity, put.id) {
            // No object has the id, for example after a rollback: the key decides.
            put.id = owner
        }
        guard put.id == 0 else {
            if let owner, owner != put.id, contested == nil {
                throw violation(KeyConflict(index: index, owner: owner), plan, layout, row)
            }
            put.isFoundByKey = owner == put.id
            // A migration may change the key: its transaction also defines the layout.
            let isRefused = owner == nil && !layouts.contains { $0.entityID == plan.entity }
            if isRefused, try contains(plan.entity, put.id) {
                throw primaryKeyChanged(plan, index, put.id, layout, row)
            }
            return
        }
        guard let owner else { return }
        let isRefused = put.mode == .insert || options.upsert == .error && put.mode == .put
        if isRefused {
            throw violation(KeyConflict(index: index, owner: owner), plan, layout, row)
        }
        put.id = owner
        put.isFoundByKey = true
    }

    /// Applies the rules of unique indexes to other objects that have keys of the row.
    private mutating func resolveConflicts(
        _ put: inout PutPlan, _ reader: KeyReader, _ layout: UInt32, _ row: Span<UInt8>,
        _ options: PutOptions
    ) throws(DaybookError) {
        // Deferred uniqueness is checked at the end.
        guard contested == nil else { return }
        let plan = reader.plan
        var conflicts = try conflicts(put, reader)
        guard !conflicts.isEmpty else { return }
        let isStored = try isStored(put, plan.entity)
        func rule(_ conflict: KeyConflict) -> UniqueConflict {
            options.onConflict[conflict.index.indexID] ?? .fail
        }
        if let first = conflicts.first(where: { rule($0) == .update }) {
            // A stored object keeps its own id, and so does an object that the primary key or
            // another index found.
            if isStored || reader.primaryKey != nil && put.id != 0 {
                throw violation(first, plan, layout, row)
            }
            put.id = first.owner
            put.mode = .put
            if let index = reader.primaryKey {
                throw primaryKeyChanged(plan, index, put.id, layout, row)
            }
            conflicts = try self.conflicts(put, reader)
            if let other = conflicts.first(where: { rule($0) == .update }) {
                throw violation(other, plan, layout, row)
            }
        }
        if let refused = conflicts.first(where: { rule($0) == .fail }) {
            throw violation(refused, plan, layout, row)
        }
        if let kept = conflicts.first(where: { rule($0) == .ignore }) {
            if !isStored { put.id = kept.owner }
            put.isIgnored = true
            return
        }
        for conflict in conflicts where !put.victims.contains(conflict.owner) {
            put.victims.append(conflict.owner)
        }
    }

    /// Whether the row replaces a stored object.
    private mutating func isStored(
        _ put: PutPlan, _ entity: UInt32
    ) throws(DaybookError) -> Bool {
        put.id == 0 ? false : try contains(entity, put.id)
    }

    private mutating func conflicts(
        _ put: PutPlan, _ reader: KeyReader
    ) throws(DaybookError) -> [KeyConflict] {
        var conflicts: [KeyConflict] = []
        for (index, key) in zip(reader.uniqueIndexes, put.keys) where !index.isPrimaryKey {
            let owner = try owner(reader.plan.entity, index, key, putting: put.id)
            if let owner, owner != put.id {
                conflicts.append(KeyConflict(index: index, owner: owner))
            }
        }
        return conflicts
    }

    /// The object's row in the state of this transaction; nil if it cannot be read.
    private mutating func readableRow(
        _ entity: UInt32, _ id: UInt64
    ) throws(DaybookError) -> StoredRow? {
        do throws(DaybookError) {
            return try row(entity, id)
        } catch  where error.isUnreadableRow {
            return nil
        }
    }

    // MARK: Errors

    private func violation(
        _ conflict: KeyConflict, _ plan: IndexPlan, _ layout: UInt32,
        _ row: Span<UInt8>
    ) -> DaybookError {
        let text = valueText(of: row, layout, conflict.index, plan)
        return WriteTransaction.uniqueViolation(
            conflict.index, plan, value: text, by: conflict.owner)
    }

    private func primaryKeyChanged(
        _ plan: IndexPlan, _ index: IndexPlan.Index, _ id: UInt64, _ layout: UInt32,
        _ row: Span<UInt8>
    ) -> DaybookError {
        let entity = plan.layout.layout.entityName
        let properties = plan.columnNames(index)
        let text = valueText(of: row, layout, index, plan)
        return DaybookError(
            .primaryKeyChanged,
            "Object \(id) of \(entity) cannot get the primary key \(text) (\(properties)):"
                + " primary keys never change. Remove the object and put a new one.",
            details: [
                "entity": entity, "property": properties, "value": text, "id": String(id),
            ])
    }
}

extension KeyReader {
    /// Throws `.invalidValue` if a primary key has no value, or if a key is too long for an index.
    fileprivate func check(_ keys: [IndexKey]) throws(DaybookError) {
        for (index, key) in zip(uniqueIndexes, keys) {
            if index.isPrimaryKey, key.hasNull {
                throw plan.invalid(index, "it is part of the primary key and has no value")
            }
            if key.bytes.count > IndexKey.lengthMax {
                throw plan.invalid(
                    index, "values of a unique index have at most \(IndexKey.lengthMax) bytes")
            }
        }
    }
}

extension Span<UInt8> {
    /// Whether both have the same bytes.
    func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count where self[index] != other[index] { return false }
        return true
    }
}
