import DaybookBytes

/// What a transaction wants noted with its commit, gathered from its blocks.
struct NotedMetadata: Sendable {
    /// How long keys and values may be together, in bytes of UTF-8.
    static let lengthBytesMax = 16 << 10

    private(set) var pairs: [String: String] = [:]
    /// What the surroundings of the outermost block said.
    private let ambient: [String: String]

    init() { ambient = [:] }

    /// What the outermost block says goes before what its surroundings say. Throws
    /// `.invalidArgument` where both are too long together.
    init(ambient: [String: String], _ metadata: [String: String]) throws(DaybookError) {
        self.ambient = ambient
        pairs = metadata.isEmpty ? ambient : ambient.merging(metadata) { $1 }
        try Self.check(pairs)
    }

    /// A block inside adds its pairs, and replaces those of the same key: what it says itself, and
    /// what its surroundings say that those of the outermost block did not. Throws
    /// `.invalidArgument` where all are too long together; nothing is changed then.
    mutating func add(
        ambient: [String: String], _ metadata: [String: String]
    ) throws(DaybookError) {
        guard !metadata.isEmpty || ambient != self.ambient else { return }
        var pairs = pairs
        for (key, value) in ambient where self.ambient[key] != value { pairs[key] = value }
        pairs.merge(metadata) { $1 }
        try Self.check(pairs)
        self.pairs = pairs
    }

    private static func check(_ pairs: [String: String]) throws(DaybookError) {
        guard !pairs.isEmpty else { return }
        let length = pairs.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        guard length > lengthBytesMax else { return }
        throw DaybookError(
            .invalidArgument,
            "The metadata of a transaction has \(length) bytes; at most \(lengthBytesMax) may be"
                + " noted with a commit. Store what is longer as an object, and note its id.",
            details: ["bytes": String(length), "bytesMax": String(lengthBytesMax)])
    }
}
