import DaybookEngine

/// A place in the history of one store: everything up to it was seen.
///
/// It outlives the process: keep it as text (``description``) or encoded, and go on from it with
/// ``Store/changes(from:of:properties:whenTruncated:)``.
public struct ChangePosition: Sendable, Hashable {
    let place: DaybookEngine.ChangePosition

    init(_ place: DaybookEngine.ChangePosition) { self.place = place }

    /// The last commit that was seen; 0 is before the first.
    public var sequence: UInt64 { place.sequence }
}

extension ChangePosition: LosslessStringConvertible {
    /// The text form: the store's identity, a colon, and the sequence.
    public var description: String { place.description }

    /// Reads what ``description`` gave; nil for any other text.
    public init?(_ description: String) {
        guard let place = DaybookEngine.ChangePosition(description) else { return nil }
        self.place = place
    }
}

extension ChangePosition: Codable {
    /// Reads what ``encode(to:)`` wrote. Throws `DecodingError` for what is no position.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let position = ChangePosition(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text)' is no position in a store's history.")
        }
        self = position
    }

    /// Writes the text form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Store {
    /// The place behind the newest commit that is durable: where ``changes(from:of:properties:)``
    /// without a position begins. Never waits.
    public var position: ChangePosition { ChangePosition(engine.position) }
}
