import DaybookBytes
import DaybookRecords
import DaybookPages

extension Engine {
    /// The ids at the other end of a relation, as this thread sees them: see
    /// ``ReadView/links(of:after:limit:)``.
    package func links(
        of end: LinkEnd, after: UInt64 = 0, limit: Int = .max
    ) throws -> [UInt64] {
        let end = known(end)
        return try reading(
            { try $0.links(of: end, after: after, limit: limit) },
            { try $0.links(of: end, after: after, limit: limit) })
    }

    /// How many objects there are at the other end; of a list, how many elements it has.
    package func linkCount(of end: LinkEnd) throws -> Int {
        let end = known(end)
        return try reading({ try $0.linkCount(of: end) }, { try $0.linkCount(of: end) })
    }

    /// Whether an object is at the other end.
    package func isLinked(_ end: LinkEnd, to other: UInt64) throws -> Bool {
        let end = known(end)
        return try reading(
            { try $0.isLinked(end, to: other) }, { try $0.isLinked(end, to: other) })
    }

    /// The elements of a list, in order.
    package func list(_ relation: UInt32, _ source: UInt64) throws -> [ListElement] {
        try reading({ try $0.list(relation, source) }, { try $0.list(relation, source) })
    }

    /// The end with what the schema knows of its relation.
    private func known(_ end: LinkEnd) -> LinkEnd {
        var end = end
        end.isList = schemas.relation(end.relation)?.type == .objects
        return end
    }

    /// Reads the version that this thread sees, or the state of its transaction.
    private func reading<Result>(
        _ view: (ReadView) throws -> Result, _ writing: (WriteTransaction) throws -> Result
    ) throws -> Result {
        if case .write(let transaction)? = try TransactionContext.role(of: self) {
            return try writing(transaction)
        }
        return try read(view)
    }
}
