package import DaybookBytes
package import DaybookRecords
import DaybookLog
import DaybookPages

/// The progress of building an index.
package struct IndexProgress: Sendable, Equatable {
    package var entity: String
    /// The names of the index's properties, separated by commas.
    package var properties: String
    /// From 0 to 1.
    package var fraction: Double

    func isSameIndex(_ other: IndexProgress) -> Bool {
        entity == other.entity && properties == other.properties
    }
}

extension Engine {
    /// The object that has a key in a unique index, as this thread sees it, or nil. Throws
    /// `.schemaMismatch` for an index that does not exist or is not unique. Throws `.corruption` or
    /// `.inputOutput` if no object is found and an object's key cannot be read. Cost: a tree
    /// lookup; if no object is found, also a read of each row that the index lacks.
    package func find(_ entity: UInt32, index: UInt32, _ key: IndexKey) throws -> UInt64? {
        if case .write(let transaction)? = try TransactionContext.role(of: self) {
            return try transaction.changes.find(entity, index: index, key)
        }
        let indexes = schemas.traits(of: entity).plan?.uniqueIndexes ?? []
        guard indexes.contains(where: { $0.indexID == index }) else { throw Self.indexMissing }
        if case .read(let view)? = try TransactionContext.role(of: self) {
            return try view.find(entity, index: index, key, schemas)
        }
        try requireOpen()
        return try readingVisible { reader throws(DaybookError) in
            try reader.find(entity, index: index, key, schemas, log)
        }
    }

    private static var indexMissing: DaybookError {
        DaybookError(
            .schemaMismatch,
            "The store has no unique index for that key. Open it for writing with a program that"
                + " declares the index.")
    }

    /// The incomplete indexes. Indexes over existing objects are built in the background,
    /// concurrently with writers. An index that lacks objects whose rows cannot be read stays
    /// incomplete.
    package var indexProgress: [IndexProgress] {
        let (incomplete, counts) = trees.withLock {
            ($0.applied.incompleteIndexes, $0.applied.counts)
        }
        return incomplete.sorted { $0.key < $1.key }.compactMap { number, state in
            guard let plan = schemas.traits(of: state.entity).plan,
                let index = plan.indexes.first(where: { $0.indexID == number })
            else { return nil }
            let nextId = Double(max(1, counts[state.entity]?.nextId ?? 1))
            return IndexProgress(
                entity: plan.layout.layout.entityName, properties: plan.columnNames(index),
                // A complete index has 1, and these are incomplete.
                fraction: min(0.999, Double(state.nextId) / nextId))
        }
    }

    /// Sets the listener for index builds in the background. It is called after each slice, and
    /// with the fraction 1 when an index is complete.
    package func onIndexProgress(_ listener: @escaping @Sendable (IndexProgress) -> Void) {
        indexListener.withLock { $0 = listener }
    }

    /// The error about an index that lacks objects; nil if none does.
    var unreadObjects: DaybookError? {
        let states = trees.withLock { $0.applied.indexes.filter { !$0.value.unread.isEmpty } }
        let first = states.min { $0.key < $1.key }
        guard let (index, state) = first, let id = state.unread.min() else { return nil }
        return .unread(
            id, of: state.entity, index, schemas.traits(of: state.entity).plan,
            count: state.unread.count)
    }
}

extension SchemaTable {
    /// The messages about indexes that lack objects.
    func unreadIndexes(_ applied: AppliedState) -> [String] {
        let states = applied.indexes.filter { !$0.value.unread.isEmpty }
        return states.sorted { $0.key < $1.key }.map { index, state in
            DaybookError.unread(
                state.unread.min() ?? 0, of: state.entity, index, traits(of: state.entity).plan,
                count: state.unread.count
            ).message
        }
    }
}

extension DaybookError {
    /// The error for an index that lacks an object, or `count` objects, because their rows cannot
    /// be read. `cause` is the error of the latest read, if any. The code is `.inputOutput` if the
    /// disk failed.
    static func unread(
        _ id: UInt64, of entity: UInt32, _ index: UInt32, _ plan: IndexPlan?, count: Int = 1,
        cause: DaybookError? = nil
    ) -> DaybookError {
        let name = plan?.layout.layout.entityName ?? "entity \(entity)"
        let found = plan?.indexes.first { $0.indexID == index }
        let columns = found.flatMap { plan?.columnNames($0) } ?? "index \(index)"
        let others = count > 1 ? " and \(count - 1) others" : ""
        let again = cause?.code == .inputOutput ? " Try again. If that does not help:" : ""
        return DaybookError(
            cause?.code ?? .corruption,
            "Object \(id)\(others) of \(name) cannot be read, so the value of \(columns) is"
                + " unknown.\(again) Remove it and put it again if you have a copy, or restore the"
                + " store from a backup.", cause: cause,
            details: [
                "entity": name, "property": columns, "id": String(id), "count": String(count),
            ])
    }
}

extension ReadView {
    /// The object that has a key in a unique index; nil if this version does not have the index.
    /// Throws as the engine's method. Cost: a tree lookup.
    package func find(
        _ entity: UInt32, index: UInt32, _ key: IndexKey, _ schemas: SchemaTable
    ) throws(DaybookError) -> UInt64? {
        try reading { reader throws(DaybookError) in
            try reader.find(entity, index: index, key, schemas, log)
        }
    }
}

extension PageReader {
    fileprivate func find(
        _ entity: UInt32, index: UInt32, _ key: IndexKey, _ schemas: SchemaTable, _ log: Log
    ) throws(DaybookError) -> UInt64? {
        guard !key.hasNull else { return nil }
        if let id = try get(IndexTree.index(index), bytes: key.bytes.span) { return id }
        return try findUnread(entity, index: index, key, schemas, log)
    }

    /// The object that has a key, among the objects that an index lacks. Reads their rows again,
    /// because a disk that failed once may work now. Throws at the first row that cannot be read.
    private func findUnread(
        _ entity: UInt32, index: UInt32, _ key: IndexKey, _ schemas: SchemaTable, _ log: Log
    ) throws(DaybookError) -> UInt64? {
        var cursor = try pairs(IndexTree.unread, from: (UInt64(index), 0))
        var reader: KeyReader?
        while let pair = try cursor.next(), pair.first == UInt64(index) {
            let (id, plan) = (pair.second, schemas.traits(of: entity).plan)
            guard let plan, let found = plan.indexes.first(where: { $0.indexID == index }) else {
                throw .unread(id, of: entity, index, plan)
            }
            do throws(DaybookError) {
                guard let entry = try object(entity, id) else { continue }
                let row = try StoredRow(entry, entity: entity, id: id, in: log)
                var keys = reader ?? KeyReader(plan)
                defer { reader = keys }
                let all = try keys.keys(
                    of: row.bytes, layout: row.layout, in: [found], schemas.rowLayout)
                if all.first == key { return id }
            } catch  where error.isUnreadableRow {
                throw .unread(id, of: entity, index, plan, cause: error)
            }
        }
        return nil
    }
}
