import Daybook

/// The changes that the page makes with `--allow-writes`. Each is a commit with an author.
extension BrowsedStore {
    /// Stores new values of an object, or a new object.
    func put(_ request: PutRequest) throws -> WriteResult {
        let rows = try store.rows(of: request.entity)
        let properties = try store.schema[request.entity]?.properties ?? []
        var values: [String: RowValue] = [:]
        for value in request.values {
            let type = properties.first { $0.name == value.name }?.type.kind
            values[value.name] =
                try value.text.map {
                    try type == .bytes
                        ? Self.bytes($0, of: value.name) : rows.value(of: value.name, fromText: $0)
                } ?? .null
        }
        let id = try request.id.map { try Self.id($0) }
        return try commit(rows, request.author, cause: "browse: edit") {
            try rows.put(values, id: id ?? 0, mode: id == nil ? .insert : .update)
        }
    }

    /// Removes an object.
    func remove(_ request: RemoveRequest) throws -> WriteResult {
        let rows = try store.rows(of: request.entity)
        let id = try Self.id(request.id)
        return try commit(rows, request.author, cause: "browse: remove") {
            guard try rows.remove(id) else {
                throw RequestProblem.notFound("\(request.entity) \(id) does not exist.")
            }
            return id
        }
    }

    /// Reverses a commit.
    func undo(_ request: UndoRequest) throws -> WriteResult {
        let report = try store.undo(
            .commit(request.sequence), metadata: CommitMetadata(author: request.author))
        guard let sequence = report.sequence else {
            throw RequestProblem.refused(
                .conflict, "Commit \(request.sequence) has no change that an undo reverses.")
        }
        return WriteResult(sequence: sequence, id: nil)
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
        return try commit(rows, request.author, cause: "browse: restore \(request.sequence)") {
            let isNew = try !rows.contains(id)
            return try rows.put(
                Dictionary(zip(old.names, old.values)) { $1 }, id: id,
                links: isNew ? old.links : [:], keys: isNew ? old.keys : [:])
        }
    }

    /// Commits a change of one object. The result has the last commit that changed the object.
    private func commit(
        _ rows: RowBox, _ author: String?, cause: String, _ body: () throws -> UInt64
    ) throws -> WriteResult {
        let id = try store.write(metadata: CommitMetadata(author: author, cause: cause), body)
        let last = try rows.history(of: id, limit: 1).first
        return WriteResult(sequence: try last?.sequence ?? store.sequence, id: String(id))
    }

    /// The bytes of hexadecimal digits, in which the page shows them.
    private static func bytes(_ text: String, of name: String) throws -> RowValue {
        let digits = Array(text.utf8)
        let pairs = stride(from: 0, to: digits.count - digits.count % 2, by: 2)
        let bytes = pairs.compactMap { index in
            UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
        }
        guard bytes.count * 2 == digits.count, !text.contains("+"), !text.contains("-") else {
            throw RequestProblem.malformed(
                "'\(name)' has bytes: give an even number of hexadecimal digits, as in 00ff.")
        }
        return .bytes(bytes)
    }

    static func id(_ text: String) throws -> UInt64 {
        guard let id = UInt64(text), id > 0 else {
            throw RequestProblem.malformed("The id must be a positive integer.")
        }
        return id
    }
}
