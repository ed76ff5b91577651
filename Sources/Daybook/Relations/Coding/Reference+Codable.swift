extension Reference: Codable {
    /// Decodes the id of the target, or null.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self.init(
            targetId: container.decodeNil() ? nil : try container.decode(EntityId<Target>.self))
    }

    /// Encodes the id of the target, or null. The target itself is not encoded.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(targetId)
    }
}
