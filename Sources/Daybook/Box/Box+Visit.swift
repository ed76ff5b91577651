import DaybookEngine

extension Box {
    /// Gives each object to `visitor`, one at a time in the order of ids, until it returns false.
    ///
    /// All come from one version, which is held meanwhile: what is committed in between is not
    /// seen. With `writable`, the visit is a write transaction that `visitor` may write in; it then
    /// visits the objects of before its own insertions. Throws what `visitor` throws, and as `get`
    /// does.
    public func visit(writable: Bool = false, _ visitor: (E) throws -> Bool) throws {
        let binding = try binding()
        if writable {
            try engine.write { transaction in
                for id in try transaction.ids(binding.entity) {
                    guard let row = try transaction.row(binding.entity, id) else { continue }
                    if try !visitor(try binding.decode(row, as: E.self, types)) { return }
                }
            }
        } else {
            try engine.forEachRow(binding.entity) { row in
                try visitor(try binding.decode(row, as: E.self, types))
            }
        }
    }

    /// Gives each object to `body`, one at a time in the order of ids. As ``visit(writable:_:)``.
    public func forEach(writable: Bool = false, _ body: (E) throws -> Void) throws {
        try visit(writable: writable) { object in
            try body(object)
            return true
        }
    }

    /// Gives the object under each of the ids to `body`, in their order; nil for those that are
    /// missing. All come from one version.
    public func forEach(ids: some Collection<Id>, _ body: (E?) throws -> Void) throws {
        let binding = try binding()
        try engine.readTransaction {
            for id in ids {
                let row = try engine.row(binding.entity, id)
                try body(try row.map { try binding.decode($0, as: E.self, types) })
            }
        }
    }
}
