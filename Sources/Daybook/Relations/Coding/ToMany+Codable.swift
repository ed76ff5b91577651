extension CodingUserInfoKey {
    /// The key for the ``Store`` from which a decoder reads the objects of a ``ToMany``.
    ///
    /// ```swift
    /// decoder.userInfo[.daybookStore] = store
    /// ```
    public static var daybookStore: CodingUserInfoKey {
        guard let key = CodingUserInfoKey(rawValue: "daybook.store") else {
            preconditionFailure("a key has a name")
        }
        return key
    }
}

extension ToMany: Codable {
    /// Decodes an array of ids, and reads their objects from the store in the decoder's user info
    /// under ``Swift/CodingUserInfoKey/daybookStore``. A put of the owner makes them the only
    /// objects of the relation.
    ///
    /// Throws `DecodingError` if the decoder has no store and the array is not empty, and for an id
    /// that no object has; and the errors of reading.
    public convenience init(from decoder: any Decoder) throws {
        let ids = try decoder.singleValueContainer().decode([Id].self)
        guard !ids.isEmpty else {
            self.init([Target]())
            return
        }
        guard let store = decoder.userInfo[.daybookStore] as? Store else {
            throw Self.corrupted(
                decoder,
                "A ToMany contains objects. Set decoder.userInfo[.daybookStore] to the store that"
                    + " has them, or decode References, which contain ids.")
        }
        let found = try store.box(for: Target.self).getAsDictionary(ids)
        if let missing = ids.first(where: { found[$0] == nil }) {
            throw Self.corrupted(decoder, "The store has no \(Target.self) with id \(missing).")
        }
        self.init(ids.compactMap { found[$0] })
    }

    /// Encodes an array of the ids of the objects, in their order. Reads the objects if they were
    /// not read. The objects themselves are not encoded.
    ///
    /// Throws `EncodingError` for an object that is not stored yet, and the errors of reading.
    public func encode(to encoder: any Encoder) throws {
        let ids = try get().map(\.entityId)
        guard !ids.contains(0) else { throw EncodingError.unsaved(Target.self, encoder) }
        var container = encoder.singleValueContainer()
        try container.encode(ids)
    }

    private static func corrupted(_ decoder: any Decoder, _ description: String) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: description))
    }
}
