extension References: Codable {
    /// Decodes an array of ids. A put of the struct makes them the only targets.
    public init(from decoder: any Decoder) throws {
        self.init(ids: try decoder.singleValueContainer().decode([EntityId<Target>].self))
    }

    /// Encodes an array of ``ids``. The targets themselves are not encoded.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ids)
    }
}
