/// The answer of a stream that stored a message.
public struct PublishReceipt: Sendable, Hashable {
    /// The name of the stream.
    public var stream: String
    /// The sequence of the message; of the last one for a batch; of the first copy for a duplicate.
    public var sequence: UInt64
    /// Whether the stream had a message with the same content id, so that it stored nothing.
    public var isDuplicate: Bool
    /// The domain of the stream; nil without one.
    public var domain: String?
}

extension PublishReceipt: Decodable {
    private enum CodingKeys: String, CodingKey {
        case stream, domain
        case sequence = "seq"
        case isDuplicate = "duplicate"
    }

    /// Reads JetStream's document.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        stream = try fields.decode(String.self, forKey: .stream)
        sequence = try fields.decode(UInt64.self, forKey: .sequence)
        isDuplicate = try fields.decodeIfPresent(Bool.self, forKey: .isDuplicate) ?? false
        domain = try fields.decodeIfPresent(String.self, forKey: .domain)
    }
}
