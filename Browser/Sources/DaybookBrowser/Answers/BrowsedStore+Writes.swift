import Daybook

/// The changes that the page makes with `--allow-writes`. Each is a commit with an author.
extension BrowsedStore {
    /// Stores new values of an object, or a new object.
    func put(_ request: PutRequest) throws -> WriteResult {
        let rows = try store.rows(of: request.entity)
        var values: [String: RowValue] = [:]
        for value in request.values {
            values[value.name] =
                try value.text.map {
                    try rows.value(of: value.name, fromText: $0)
                } ?? .null
        }
        let id = try request.id.map { try Self.id($0) }
        return try commit(request.author, cause: "browse: edit") {
            try rows.put(values, id: id ?? 0, mode: id == nil ? .insert : .update)
        }
    }

    /// Removes an object.
    func remove(_ request: RemoveRequest) throws -> WriteResult {
        let rows = try store.rows(of: request.entity)
        let id = try Self.id(request.id)
        return try commit(request.author, cause: "browse: remove") {
            guard try rows.remove(id) else {
                throw RequestProblem.notFound("\(request.entity) \(id) does not exist.")
            }
            return id
        }
    }

    /// Reverses a commit.
    func undo(_ request: UndoRequest) throws -> WriteResult {
        try store.undo(
            .commit(request.sequence), metadata: CommitMetadata(author: request.author))
        return WriteResult(sequence: try store.sequence, id: nil)
    }

    /// Stores the values that an object had after a commit. Its links keep their targets; a removed
    /// object gets the links that it had.
    func restore(_ request: RestoreRequest) throws -> WriteResult {
        let id = try Self.id(request.id)
        let old = try store.view(at: .sequence(request.sequence)).rows(of: request.entity).get(id)
        guard let old else {
            throw RequestProblem.notFound(
                "\(request.entity) \(id) does not exist after commit \(request.sequence).")
        }
        let rows = try store.rows(of: request.entity)
        return try commit(request.author, cause: "browse: restore \(request.sequence)") {
            let isNew = try !rows.contains(id)
            return try rows.put(
                Dictionary(zip(old.names, old.values)) { $1 }, id: id,
                links: isNew ? old.links : [:], keys: isNew ? old.keys : [:])
        }
    }

    private func commit(
        _ author: String?, cause: String, _ body: () throws -> UInt64
    ) throws -> WriteResult {
        let id = try store.write(metadata: CommitMetadata(author: author, cause: cause), body)
        return WriteResult(sequence: try store.sequence, id: String(id))
    }

    static func id(_ text: String) throws -> UInt64 {
        guard let id = UInt64(text), id > 0 else {
            throw RequestProblem.malformed("The id must be a positive integer.")
        }
        return id
    }
}
