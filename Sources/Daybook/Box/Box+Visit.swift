import DaybookBytes
import DaybookEngine

extension Box {
    /// Calls `visitor` with each object, one at a time in the order of ids, until it returns false.
    /// All objects come from one version, which is held during the visit; later commits are not
    /// visible. With `writable`, the visit is a write transaction in which `visitor` may write; it
    /// visits the objects that existed at its beginning. Throws the error of `visitor`, and as
    /// `get`.
    /// does.
    public func visit(writable: Bool = false, _ visitor: (E) throws -> Bool) throws {
        let binding = try binding()
        if writable {
            try engine.write { transaction in
                for id in try transaction.changes.ids(binding.entity) {
                    try OperationCancellation.checkCurrent()
                    guard let row = try transaction.changes.row(binding.entity, id) else {
                        continue
                    }
                    if try !visitor(try binding.decode(row, as: E.self, types)) { return }
                }
            }
        } else {
            try engine.forEachRow(binding.entity) { row in
                try visitor(try binding.decode(row, as: E.self, types))
            }
        }
    }

    /// Calls `body` with each object, one at a time in the order of ids. As ``visit(writable:_:)``.
    public func forEach(writable: Bool = false, _ body: (E) throws -> Void) throws {
        try visit(writable: writable) { object in
            try body(object)
            return true
        }
    }

    /// Calls `body` with the object of each id, in the order of the ids; with nil for an id that no
    /// object has. All objects come from one version.
    public func forEach(ids: some Collection<Id>, _ body: (E?) throws -> Void) throws {
        let binding = try binding()
        try engine.readTransaction {
            for id in ids {
                try OperationCancellation.checkCurrent()
                let row = try engine.row(binding.entity, id)
                try body(try row.map { try binding.decode($0, as: E.self, types) })
            }
        }
    }
}
