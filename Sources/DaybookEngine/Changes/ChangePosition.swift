package import DaybookLog

/// A position in the history of one store: every commit up to it was processed.
///
/// A position outlives the process: store it as a string (``description``) or encoded, and resume
/// the changes of the store from it.
public struct ChangePosition: Sendable, Hashable {
    /// The store whose history contains the position.
    package let store: StoreIdentity
    /// The sequence of the last processed commit; 0 is before the first.
    public let sequence: UInt64

    package init(store: StoreIdentity, sequence: UInt64) {
        self.store = store
        self.sequence = sequence
    }
}

extension ChangePosition: LosslessStringConvertible {
    /// The string form: the store's identity, a colon, and the sequence.
    public var description: String { "\(store):\(sequence)" }

    /// Creates a position from a string that ``description`` returned; nil for any other string.
    public init?(_ description: String) {
        guard let colon = description.lastIndex(of: ":"),
            let store = StoreIdentity(String(description[..<colon])),
            let sequence = UInt64(description[description.index(after: colon)...]),
            // Each position has one spelling: no sign, no leading zeros.
            String(sequence) == description[description.index(after: colon)...]
        else { return nil }
        self.init(store: store, sequence: sequence)
    }
}

extension ChangePosition: Codable {
    /// Reads a position that ``encode(to:)`` wrote. Throws `DecodingError` for any other value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let position = ChangePosition(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "'\(text)' is not a position in a store's history.")
        }
        self = position
    }

    /// Encodes the string form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
