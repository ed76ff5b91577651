extension EntityId: Codable {
    /// Decodes the plain number.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Id.self))
    }

    /// Encodes the plain number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
