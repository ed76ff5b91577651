package import DaybookBytes
package import DaybookEngine
package import DaybookRecords

/// Puts objects of an entity by their values, in a running transaction.
package struct RowPut {
    package let form: RowForm
    private let encoder: RowValueEncoder
    private let primaryKey: IndexPlan.Index?

    /// Throws `.schemaMismatch` while a migration of the entity is not finished: it would skip the
    /// objects that are put.
    package init(_ form: RowForm) throws(DaybookError) {
        if let migration = form.decoder.schemas.schema.migrations[form.entity],
            !migration.isComplete
        {
            throw DaybookError(
                .schemaMismatch,
                "The migration of \(form.entityName) is not finished. Open the store with the"
                    + " program that began it, which finishes the migration.",
                details: ["entity": form.entityName])
        }
        self.form = form
        encoder = RowValueEncoder(form.decoder.schemas)
        primaryKey = try IndexPlan(form.layout.layout).indexes.first(where: \.isPrimaryKey)
    }

    /// Puts an object and returns the result.
    ///
    /// Properties that `values` does not have keep their stored values; in a new object they are
    /// null, or zero if they are not optional. With id 0, an object with the same primary key is
    /// the stored object. Throws `.invalidArgument` for an unknown property and `.invalidValue` for
    /// a value that does not fit, and the errors of a put.
    package func put(
        _ values: [String: RowValue], id: UInt64, _ options: PutOptions,
        in transaction: WriteTransaction
    ) throws(DaybookError) -> PutOutcome {
        try check(values)
        let row = try encode(values)
        let stored = id == 0 ? try storedId(row, in: transaction) : id
        guard stored > 0, let before = try transaction.changes.row(form.entity, stored) else {
            try requireKey(values)
            return try put(row, id, options, in: transaction)
        }
        if id == 0, options.mode == .insert || options.upsert == .error {
            var options = options
            (options.mode, options.upsert) = (.put, .error)
            return try put(row, id, options, in: transaction)
        }
        let bytes = try form.bytes(of: before)
        let whole = try form.layout.merging(row.span, bytes.span) {
            values[form.layout.layout.fields[$0].name] == nil
        }
        return try put(whole, stored, options, in: transaction)
    }

    /// The object with the id, or for id 0 the primary key, of these values; 0 if there is none.
    /// Throws as ``put(_:id:_:in:)``.
    package func storedId(
        _ values: [String: RowValue], id: UInt64, in transaction: WriteTransaction
    ) throws(DaybookError) -> UInt64 {
        guard id == 0 else {
            return try transaction.changes.contains(form.entity, id) ? id : 0
        }
        guard primaryKey != nil else { return 0 }
        try check(values)
        return try storedId(try encode(values), in: transaction)
    }

    /// The object that a unique index over one property contains for a value; nil if there is none.
    package func owner(
        of value: RowValue, in index: IndexPlan.Index, in transaction: WriteTransaction
    ) throws(DaybookError) -> UInt64? {
        guard let column = index.columns.first, !value.isNull else { return nil }
        let field = form.layout.layout.fields[column]
        let row = try encode([field.name: value])
        return try transaction.changes.find(
            form.entity, index: index.indexID, try IndexKey([column], of: row.span, form.layout))
    }

    private func storedId(
        _ row: [UInt8], in transaction: WriteTransaction
    ) throws(DaybookError) -> UInt64 {
        guard let primaryKey else { return 0 }
        let key = try IndexKey(primaryKey.columns, of: row.span, form.layout)
        return try transaction.changes.find(form.entity, index: primaryKey.indexID, key) ?? 0
    }

    private func put(
        _ row: [UInt8], _ id: UInt64, _ options: PutOptions, in transaction: WriteTransaction
    ) throws(DaybookError) -> PutOutcome {
        // The rows contain the values of all properties, declared by the program or not.
        let putWholeRows = transaction.changes.putsWholeRows
        transaction.changes.putsWholeRows = true
        defer { transaction.changes.putsWholeRows = putWholeRows }
        return try transaction.changes.put(
            form.entity, id, layout: form.layout.layout.layoutID, row: row.span, options)
    }

    /// Throws `.invalidValue` for a new object without a value of its primary key.
    private func requireKey(_ values: [String: RowValue]) throws(DaybookError) {
        for column in primaryKey?.columns ?? [] {
            let name = form.layout.layout.fields[column].name
            guard values[name] == nil else { continue }
            throw DaybookError(
                .invalidValue,
                "'\(name)' belongs to the primary key of \(form.entityName), and a new object needs"
                    + " a value of it.",
                details: ["entity": form.entityName, "property": name])
        }
    }

    private func check(_ values: [String: RowValue]) throws(DaybookError) {
        for name in values.keys.sorted() where form.property(name) == nil { throw unknown(name) }
    }

    /// Encodes a row. Values that are not given are null, or zero.
    private func encode(_ values: [String: RowValue]) throws(DaybookError) -> [UInt8] {
        try encoder.row(values, form.layout)
    }

    private func unknown(_ name: String) -> DaybookError {
        let isRelation = form.relations.contains { $0.name == name }
        return DaybookError(
            .invalidArgument,
            isRelation
                ? "'\(name)' is a relation of \(form.entityName): give its targets as links."
                : "\(form.entityName) has no property '\(name)'."
                    + NearName.question(name, among: form.names)
                    + " It has: \(form.names.joined(separator: ", ")).",
            details: ["entity": form.entityName, "property": name])
    }
}
