import DaybookBytes
import DaybookRecords
import DaybookPages

/// Where a put goes, and what it changes beside its own object.
struct PutTarget {
    var id: UInt64
    var mode: PutMode
    var isAssignable: Bool
    var layout: UInt32
    /// The keys of the row in the unique indexes.
    var keys: [IndexKey] = []
    /// Objects that give way.
    var victims: [UInt64] = []
    /// Whether there is nothing to put: ``id`` is that of the object that stays.
    var isSettled = false
    /// Whether the primary key named the object.
    var isFoundByKey = false
}

/// A key of the row that is to be put, and the object that has it.
private struct KeyConflict {
    var index: IndexPlan.Index
    var owner: UInt64
}

// Unique indexes and primary keys: all is looked at before anything is changed.
extension PendingChanges {
    mutating func putCarefully(
        _ entity: UInt32, _ target: PutTarget, row: Span<UInt8>, _ rules: PutRules
    ) throws(DaybookError) -> UInt64 {
        try requireObjects(entity)
        var target = target
        var rules = rules
        while let id = try settle(&target, entity, row, rules) {
            // Values that the program does not declare are those of the object that the row goes
            // to: where the keys have led to another one, they are looked at once more.
            guard id != target.id,
                try completed(row, target.layout, entity, target.id) != nil
            else { break }
            rules.onConflict = rules.onConflict.mapValues { $0 == .update ? .fail : $0 }
        }
        if target.isSettled { return target.id }
        if let since = rules.unchangedSince {
            try requireUnchanged(entity, target.id, since: since)
        }
        if let whole = try completed(row, target.layout, entity, target.id) {
            return try put(whole.span, to: target, entity, rules)
        }
        return try put(row, to: target, entity, rules)
    }

    /// Decides where a row goes; nothing is changed. Returns the id that it was to go to, nil where
    /// it is settled.
    private mutating func settle(
        _ target: inout PutTarget, _ entity: UInt32, _ row: Span<UInt8>, _ rules: PutRules
    ) throws(DaybookError) -> UInt64? {
        if let whole = try completed(row, target.layout, entity, target.id) {
            return try settleWhole(&target, entity, whole.span, rules)
        }
        return try settleWhole(&target, entity, row, rules)
    }

    private mutating func settleWhole(
        _ target: inout PutTarget, _ entity: UInt32, _ row: Span<UInt8>, _ rules: PutRules
    ) throws(DaybookError) -> UInt64? {
        guard let reader = keyReaders[entity] else {
            preconditionFailure("an entity without indexes needs no care")
        }
        let id = target.id
        target.victims = []
        target.keys = try keys(of: row, layout: target.layout, entity, in: reader.uniqueIndexes)
        try reader.check(target.keys)
        try settlePrimaryKey(&target, reader, row, rules)
        try settleConflicts(&target, reader, row, rules)
        return target.isSettled ? nil : id
    }

    /// Puts a whole row where it was decided.
    private mutating func put(
        _ row: Span<UInt8>, to target: PutTarget, _ entity: UInt32, _ rules: PutRules
    ) throws(DaybookError) -> UInt64 {
        if target.isFoundByKey, rules.upsert == .modified, target.victims.isEmpty,
            let stored = try readableRow(entity, target.id), stored.layout == target.layout,
            stored.bytes.isEqual(to: row)
        {
            return target.id
        }
        let id = try idForPut(
            entity, target.id, target.mode, isAssignable: target.isAssignable, givenIndex(entity))
        // What can fail is read first.
        let old = try uniqueKeys(entity, id)
        var freed: [(id: UInt64, keys: [IndexKey])] = []
        for victim in target.victims where victim != id {
            freed.append((victim, try uniqueKeys(entity, victim)))
        }
        for victim in freed { _ = try remove(entity, victim.id) }
        free(old, entity, id)
        if contested != nil { try contest(target.keys, entity, id) }
        let indexes = keyReaders[entity]?.uniqueIndexes ?? []
        for (index, key) in zip(indexes, target.keys) where !key.hasNull {
            owners.set(index.indexID, key, .object(id), operation: operations.count)
        }
        add(put: row, layout: target.layout, entity, id)
        return id
    }

    /// Finds the object that the primary key names, and sees to it that no object changes its own.
    private mutating func settlePrimaryKey(
        _ target: inout PutTarget, _ reader: KeyReader, _ row: Span<UInt8>, _ rules: PutRules
    ) throws(DaybookError) {
        let plan = reader.plan
        guard let index = reader.primaryKey, let key = target.keys.first else { return }
        let owner = try owner(plan.entity, index, key, putting: target.id)
        if let owner, target.id != 0, target.mode == .put, try !contains(plan.entity, target.id) {
            // An id that no object has, as after a rollback, gives way to the key.
            target.id = owner
        }
        guard target.id == 0 else {
            if let owner, owner != target.id, contested == nil {
                throw violation(KeyConflict(index: index, owner: owner), plan, target, row)
            }
            target.isFoundByKey = owner == target.id
            // A migration may change it, for its transaction brings the layout, too.
            let isRefused = owner == nil && !layouts.contains { $0.entityID == plan.entity }
            if isRefused, try contains(plan.entity, target.id) {
                throw primaryKeyChanged(plan, index, target, row)
            }
            return
        }
        guard let owner else { return }
        let isRefused = target.mode == .insert || rules.upsert == .error && target.mode == .put
        if isRefused {
            throw violation(KeyConflict(index: index, owner: owner), plan, target, row)
        }
        target.id = owner
        target.isFoundByKey = true
    }

    /// Decides what becomes of objects that have keys of the row.
    private mutating func settleConflicts(
        _ target: inout PutTarget, _ reader: KeyReader, _ row: Span<UInt8>, _ rules: PutRules
    ) throws(DaybookError) {
        // They are looked at when all has its end.
        guard contested == nil else { return }
        let plan = reader.plan
        var conflicts = try conflicts(target, reader)
        guard !conflicts.isEmpty else { return }
        let isStored = try isStored(target, plan.entity)
        func rule(_ conflict: KeyConflict) -> UniqueConflict {
            rules.onConflict[conflict.index.indexID] ?? .fail
        }
        if let first = conflicts.first(where: { rule($0) == .update }) {
            // An object that is stored keeps its own place; and the primary key, or another index,
            // may name another one to go to.
            if isStored || reader.primaryKey != nil && target.id != 0 {
                throw violation(first, plan, target, row)
            }
            target.id = first.owner
            target.mode = .put
            if let index = reader.primaryKey { throw primaryKeyChanged(plan, index, target, row) }
            conflicts = try self.conflicts(target, reader)
            if let other = conflicts.first(where: { rule($0) == .update }) {
                throw violation(other, plan, target, row)
            }
        }
        if let refused = conflicts.first(where: { rule($0) == .fail }) {
            throw violation(refused, plan, target, row)
        }
        if let kept = conflicts.first(where: { rule($0) == .ignore }) {
            if !isStored { target.id = kept.owner }
            target.isSettled = true
            return
        }
        for conflict in conflicts where !target.victims.contains(conflict.owner) {
            target.victims.append(conflict.owner)
        }
    }

    /// Whether the row goes to an object that is there.
    private mutating func isStored(
        _ target: PutTarget, _ entity: UInt32
    ) throws(DaybookError) -> Bool {
        target.id == 0 ? false : try contains(entity, target.id)
    }

    private mutating func conflicts(
        _ target: PutTarget, _ reader: KeyReader
    ) throws(DaybookError) -> [KeyConflict] {
        var conflicts: [KeyConflict] = []
        for (index, key) in zip(reader.uniqueIndexes, target.keys) where !index.isPrimaryKey {
            let owner = try owner(reader.plan.entity, index, key, putting: target.id)
            if let owner, owner != target.id {
                conflicts.append(KeyConflict(index: index, owner: owner))
            }
        }
        return conflicts
    }

    // MARK: Keys

    /// The object that has a key in a unique index by that number; nil where there is no such
    /// index.
    mutating func find(
        _ entity: UInt32, _ index: UInt32, _ key: IndexKey
    ) throws(DaybookError) -> UInt64? {
        _ = givenIndex(entity)
        let found = keyReaders[entity]?.uniqueIndexes.first { $0.indexID == index }
        guard let found else { return nil }
        return try owner(entity, found, key)
    }

    /// The object that has a key in a unique index, in the state of this transaction. Throws
    /// `.corruption` or `.inputOutput` where none is known, and there is an object whose key cannot
    /// be read; other than the one that is just being put.
    mutating func owner(
        _ entity: UInt32, _ index: IndexPlan.Index, _ key: IndexKey, putting id: UInt64 = 0
    ) throws(DaybookError) -> UInt64? {
        guard !key.hasNull else { return nil }
        switch owners.owner(index.indexID, key) {
        case .object(let id): return id
        case .nobody: return nil
        case nil:
            let found = try withBase { reader throws(DaybookError) in
                try reader.get(index.tree, bytes: key.bytes.span)
            }
            // One that was changed would be known: save where nobody could read which keys it had.
            if let found { return hasChanged(entity, found) ? nil : found }
            return try unreadOwner(entity, index, key, putting: id)
        }
    }

    mutating func keys(
        of row: Span<UInt8>, layout: UInt32, _ entity: UInt32, in indexes: [IndexPlan.Index]
    ) throws(DaybookError) -> [IndexKey] {
        let look = layoutLookUp
        return try keyReaders[entity]?.keys(of: row, layout: layout, in: indexes, look) ?? []
    }

    /// The keys of an object in the unique indexes, in the state of this transaction; none where it
    /// does not live, or cannot be read.
    mutating func uniqueKeys(
        _ entity: UInt32, _ id: UInt64
    ) throws(DaybookError) -> [IndexKey] {
        do throws(DaybookError) {
            return try certainUniqueKeys(entity, id)
        } catch  where error.isUnreadableRow {
            return []
        }
    }

    /// The same, for those who must not take an object that cannot be read for one without keys.
    mutating func certainUniqueKeys(
        _ entity: UInt32, _ id: UInt64
    ) throws(DaybookError) -> [IndexKey] {
        guard let indexes = keyReaders[entity]?.uniqueIndexes, let row = try row(entity, id)
        else { return [] }
        return try keys(of: row.bytes, layout: row.layout, entity, in: indexes)
    }

    /// The object's row in the state of this transaction; nil where it cannot be read.
    private mutating func readableRow(
        _ entity: UInt32, _ id: UInt64
    ) throws(DaybookError) -> StoredRow? {
        do throws(DaybookError) {
            return try row(entity, id)
        } catch  where error.isUnreadableRow {
            return nil
        }
    }

    /// An object gives up its keys with the next operation.
    mutating func free(_ keys: [IndexKey], _ entity: UInt32, _ id: UInt64) {
        for (index, key) in zip(keyReaders[entity]?.uniqueIndexes ?? [], keys) where !key.hasNull {
            // Another one has taken it already, where that is put right later.
            if contested != nil, case .object(let owner)? = owners.owner(index.indexID, key),
                owner != id
            {
                continue
            }
            owners.set(index.indexID, key, .nobody, operation: operations.count)
        }
    }

    /// Layouts by number, those included that this transaction defines.
    var layoutLookUp: LayoutLookUp {
        let (defined, schemas) = (layouts, engine.schemas)
        return { id throws(DaybookError) in
            if let layout = defined.first(where: { $0.layoutID == id }) { return RowLayout(layout) }
            return try schemas.rowLayout(id)
        }
    }

    // MARK: Errors

    private func violation(
        _ conflict: KeyConflict, _ plan: IndexPlan, _ target: PutTarget, _ row: Span<UInt8>
    ) -> DaybookError {
        let text = valueText(of: row, target.layout, conflict.index, plan)
        return WriteTransaction.uniqueViolation(
            conflict.index, plan, value: text, by: conflict.owner)
    }

    private func primaryKeyChanged(
        _ plan: IndexPlan, _ index: IndexPlan.Index, _ target: PutTarget, _ row: Span<UInt8>
    ) -> DaybookError {
        let entity = plan.layout.layout.entityName
        let properties = plan.columnNames(index)
        let text = valueText(of: row, target.layout, index, plan)
        return DaybookError(
            .primaryKeyChanged,
            "Object \(target.id) of \(entity) cannot get the primary key \(text) (\(properties)):"
                + " primary keys never change. Remove the object and put a new one.",
            details: [
                "entity": entity, "property": properties, "value": text, "id": String(target.id),
            ])
    }

    /// The values of an index's properties in a row, for people.
    func valueText(
        of row: Span<UInt8>, _ layout: UInt32, _ index: IndexPlan.Index, _ plan: IndexPlan
    ) -> String {
        do throws(DaybookError) {
            let look = layoutLookUp
            guard layout != plan.layout.layout.layoutID else {
                return try plan.valueText(index, of: row, layouts: look)
            }
            let translation = RowTranslation(from: try look(layout), to: plan.layout)
            let translated = try translation.translate(row)
            return try plan.valueText(index, of: translated.span, layouts: look)
        } catch { return "?" }
    }
}

extension KeyReader {
    /// Throws `.invalidValue` where a primary key has no value, or a key is too long to be
    /// compared.
    fileprivate func check(_ keys: [IndexKey]) throws(DaybookError) {
        for (index, key) in zip(uniqueIndexes, keys) {
            if index.isPrimaryKey, key.hasNull {
                throw plan.invalid(index, "it is part of the primary key and has no value")
            }
            if key.bytes.count > IndexKey.lengthMax {
                throw plan.invalid(
                    index, "values of a unique index may have \(IndexKey.lengthMax) bytes")
            }
        }
    }
}

extension IndexPlan {
    func invalid(_ index: Index, _ what: String) -> DaybookError {
        let entity = layout.layout.entityName
        let properties = columnNames(index)
        return DaybookError(
            .invalidValue, "The property \(properties) of \(entity) cannot be set so: \(what).",
            details: ["entity": entity, "property": properties])
    }

    /// The values of an index's properties in a row of the newest layout as JSON, cut at 100 bytes.
    func valueText(
        _ index: Index, of row: Span<UInt8>, layouts: LayoutLookUp
    ) throws(DaybookError) -> String {
        let view = try RowView(row, layout)
        var parts: [String] = []
        for column in index.columns {
            var text = JSONText()
            if view.isNull(column) {
                text.null()
            } else {
                try text.value(
                    try view.value(column), view.slots[column].type, layouts: layouts)
            }
            parts.append(text.text)
        }
        let whole = parts.joined(separator: ", ")
        let lengthMax = 100
        guard whole.utf8.count > lengthMax else { return whole }
        // By scalars, for a character may be as long as the text.
        var cut = whole.utf8.index(whole.startIndex, offsetBy: lengthMax - 3)
        while cut.samePosition(in: whole.unicodeScalars) == nil {
            cut = whole.utf8.index(before: cut)
        }
        return String(whole.unicodeScalars[..<cut]) + "…"
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
