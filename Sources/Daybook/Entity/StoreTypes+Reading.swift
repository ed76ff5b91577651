import DaybookBytes
import DaybookEngine

// Reads of the version that relations belong to: the one that was chosen, or what the running
// thread sees, which in a transaction is the state of that.

extension StoreTypes {
    /// Runs `body` over one version.
    func read<Result>(_ body: () throws -> Result) throws -> Result {
        guard view != nil else { return try engine.readTransaction(body) }
        guard engine.isOpen else { throw Self.closed }
        return try body()
    }

    func row(_ entity: UInt32, _ id: Id) throws -> StoredRow? {
        guard let view else { return try engine.row(entity, id) }
        return try view.row(entity, id)
    }

    func links(of end: LinkEnd, after id: Id = 0, limit: Int = .max) throws -> [Id] {
        guard let view else { return try engine.links(of: end, after: id, limit: limit) }
        return try view.links(of: end, after: id, limit: limit)
    }

    func linkCount(of end: LinkEnd) throws -> Int {
        guard let view else { return try engine.linkCount(of: end) }
        return try view.linkCount(of: end)
    }

    func list(_ relation: UInt32, _ source: Id) throws -> [ListElement] {
        guard let view else { return try engine.list(relation, source) }
        return try view.list(relation, source)
    }

    /// The rows of objects, in the order of the ids, without those that are missing.
    func rows(_ entity: UInt32, _ ids: [Id]) throws -> [StoredRow] {
        guard let view else { return try engine.rows(entity, ids) }
        return try view.rows(entity, ids)
    }

    static var closed: DaybookError {
        DaybookError(.closed, "The store is closed. Open it again, and read the objects anew.")
    }
}
