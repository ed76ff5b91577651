extension ToOne: Codable {
    /// Decodes the id of the target, or null. The target is read when it is first used, after a put
    /// of the owner.
    public convenience init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self.init(
            targetId: container.decodeNil() ? nil : try container.decode(EntityId<Target>.self))
    }

    /// Encodes the id of the target, or null. Reads the link if it was not read. The target itself
    /// is not encoded.
    ///
    /// Throws `EncodingError` for a target that is not stored yet, and the errors of ``get()``.
    public func encode(to encoder: any Encoder) throws {
        let id = try resolveId()
        guard id != 0 else { throw EncodingError.unsaved(Target.self, encoder) }
        var container = encoder.singleValueContainer()
        try container.encode(id)
    }
}

extension EncodingError {
    /// The error for a target that has no id.
    static func unsaved(_ type: Any.Type, _ encoder: any Encoder) -> EncodingError {
        .invalidValue(
            0 as Id,
            Context(
                codingPath: encoder.codingPath,
                debugDescription: "A relation leads to a \(type) that is not stored and has no id."
                    + " Put it before encoding."))
    }
}
