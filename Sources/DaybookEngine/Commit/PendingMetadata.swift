import DaybookBytes

/// The metadata of a transaction's commit, collected from its blocks.
///
/// Keys with the prefix ``ownPrefix`` are reserved: the engine describes commits with them, so a
/// program must not set them.
struct PendingMetadata: Sendable {
    /// The prefix of the engine's keys.
    static let ownPrefix = "daybook."
    /// The maximum total length of keys and values, in bytes of UTF-8.
    static let lengthBytesMax = 16 << 10

    /// The program's pairs.
    private var said: [String: String] = [:]
    /// The engine's pairs. They take precedence.
    private var own: [String: String] = [:]
    /// The ambient metadata of the outermost block.
    private let ambient: [String: String]

    init() { ambient = [:] }

    /// All pairs, as in the commit record.
    var pairs: [String: String] { own.isEmpty ? said : said.merging(own) { $1 } }

    /// The metadata of the outermost block, which overrides its ambient metadata. Throws
    /// `.invalidArgument` if both are too long together, or for a reserved key.
    init(ambient: [String: String], _ metadata: [String: String]) throws(DaybookError) {
        self.ambient = ambient
        said = metadata.isEmpty ? ambient : ambient.merging(metadata) { $1 }
        try Self.check(said)
    }

    /// Adds the pairs of an inner block; they replace pairs with the same key. Of the ambient
    /// metadata, adds only pairs that differ from the ambient metadata of the outermost block.
    /// Throws `.invalidArgument` if all pairs are too long together, or for a reserved key; nothing
    /// is changed then.
    mutating func add(
        ambient: [String: String], _ metadata: [String: String]
    ) throws(DaybookError) {
        guard !metadata.isEmpty || ambient != self.ambient else { return }
        var said = said
        for (key, value) in ambient where self.ambient[key] != value { said[key] = value }
        said.merge(metadata) { $1 }
        try Self.check(said)
        self.said = said
    }

    /// Sets a pair of the engine. If `isList` is true, appends the value to the key's earlier
    /// value, separated by a comma.
    mutating func note(own key: String, _ value: String, isList: Bool = false) {
        if isList, let earlier = own[key] {
            own[key] = earlier + "," + value
        } else {
            own[key] = value
        }
    }

    /// The commits of a range: `7`, or `7-9` for several.
    static func text(_ range: ClosedRange<UInt64>) -> String {
        range.lowerBound == range.upperBound
            ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
    }

    /// The total length of keys and values.
    static func lengthBytes(_ pairs: [String: String]) -> Int {
        pairs.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }

    private static func check(_ pairs: [String: String]) throws(DaybookError) {
        guard !pairs.isEmpty else { return }
        if let key = pairs.keys.filter({ $0.hasPrefix(ownPrefix) }).min() {
            throw DaybookError(
                .invalidArgument,
                "The metadata has the key '\(key)': keys that begin with '\(ownPrefix)' are"
                    + " reserved for the store. Choose another key.",
                details: ["key": key])
        }
        let length = lengthBytes(pairs)
        guard length > lengthBytesMax else { return }
        throw DaybookError(
            .invalidArgument,
            "The metadata of a transaction has \(length) bytes; the maximum is \(lengthBytesMax)."
                + " Store longer values as an object, and use its id as metadata.",
            details: ["bytes": String(length), "bytesMax": String(lengthBytesMax)])
    }
}
