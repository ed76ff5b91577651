package import DaybookBytes
package import DaybookRecords
import DaybookPages

// The keys of unique indexes in the state of the transaction.
extension PendingChanges {
    /// The object with a key in a unique index, in the state of this transaction. Nil for an index
    /// that does not exist or is not unique.
    package mutating func find(
        _ entity: UInt32, index: UInt32, _ key: IndexKey
    ) throws(DaybookError) -> UInt64? {
        try requireUsable()
        _ = givenIndex(entity)
        let found = keyReaders[entity]?.uniqueIndexes.first { $0.indexID == index }
        guard let found else { return nil }
        return try owner(entity, found, key)
    }

    /// The object that has a key in a unique index, in the state of this transaction. Throws
    /// `.corruption` or `.inputOutput` if no owner is known and an object's key cannot be read; the
    /// object with the id `id` does not count.
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
            // A changed owner would be known, except if its previous keys could not be read.
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

    /// The keys of an object in the unique indexes, in the state of this transaction. Empty if the
    /// object does not exist or cannot be read.
    mutating func uniqueKeys(
        _ entity: UInt32, _ id: UInt64
    ) throws(DaybookError) -> [IndexKey] {
        do throws(DaybookError) {
            return try certainUniqueKeys(entity, id)
        } catch  where error.isUnreadableRow {
            return []
        }
    }

    /// Like ``uniqueKeys(_:_:)``, but throws if the object cannot be read.
    mutating func certainUniqueKeys(
        _ entity: UInt32, _ id: UInt64
    ) throws(DaybookError) -> [IndexKey] {
        guard let indexes = keyReaders[entity]?.uniqueIndexes, let row = try row(entity, id)
        else { return [] }
        return try keys(of: row.bytes, layout: row.layout, entity, in: indexes)
    }

    /// Releases an object's keys with the next operation.
    mutating func free(_ keys: [IndexKey], _ entity: UInt32, _ id: UInt64) {
        for (index, key) in zip(keyReaders[entity]?.uniqueIndexes ?? [], keys) where !key.hasNull {
            // With deferred uniqueness, another object may already own the key.
            if contested != nil, case .object(let owner)? = owners.owner(index.indexID, key),
                owner != id
            {
                continue
            }
            owners.set(index.indexID, key, .nobody, operation: operations.count)
        }
    }

    /// Returns layouts by number, including the layouts that this transaction defines.
    var layoutLookUp: LayoutLookUp {
        let (defined, schemas) = (layouts, engine.schemas)
        return { id throws(DaybookError) in
            if let layout = defined.first(where: { $0.layoutID == id }) { return RowLayout(layout) }
            return try schemas.rowLayout(id)
        }
    }

    /// The values of an index's properties in a row, for error messages.
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

extension IndexPlan {
    func invalid(_ index: Index, _ what: String) -> DaybookError {
        let entity = layout.layout.entityName
        let properties = columnNames(index)
        return DaybookError(
            .invalidValue, "The property \(properties) of \(entity) cannot be set so: \(what).",
            details: ["entity": entity, "property": properties])
    }

    /// The values of an index's properties in a row of the newest layout as JSON, truncated to 100
    /// bytes.
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
        // Truncates by scalars, because a character may be as long as the string.
        var cut = whole.utf8.index(whole.startIndex, offsetBy: lengthMax - 3)
        while cut.samePosition(in: whole.unicodeScalars) == nil {
            cut = whole.utf8.index(before: cut)
        }
        return String(whole.unicodeScalars[..<cut]) + "…"
    }
}
