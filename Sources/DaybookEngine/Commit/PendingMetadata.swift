import DaybookBytes

/// What a transaction wants noted with its commit, gathered from its blocks.
///
/// Keys that begin with ``ownPrefix`` are the engine's: by these it tells later what a commit was,
/// so no program may note any.
struct PendingMetadata: Sendable {
    /// What the keys begin with that only the engine notes.
    static let ownPrefix = "daybook."
    /// How long keys and values may be together, in bytes of UTF-8.
    static let lengthBytesMax = 16 << 10

    /// What the program says.
    private var said: [String: String] = [:]
    /// What the engine says; it goes before.
    private var own: [String: String] = [:]
    /// What the surroundings of the outermost block said.
    private let ambient: [String: String]

    init() { ambient = [:] }

    /// All of it, as the commit record has it.
    var pairs: [String: String] { own.isEmpty ? said : said.merging(own) { $1 } }

    /// What the outermost block says goes before what its surroundings say. Throws
    /// `.invalidArgument` where both are too long together, and for a key of the engine's.
    init(ambient: [String: String], _ metadata: [String: String]) throws(DaybookError) {
        self.ambient = ambient
        said = metadata.isEmpty ? ambient : ambient.merging(metadata) { $1 }
        try Self.check(said)
    }

    /// A block inside adds its pairs, and replaces those of the same key: what it says itself, and
    /// what its surroundings say that those of the outermost block did not. Throws
    /// `.invalidArgument` where all are too long together, and for a key of the engine's; nothing
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

    /// Notes what the engine did. What was noted before under the same key stays, with a comma
    /// between, where `isList` says that the key has many values.
    mutating func note(own key: String, _ value: String, isList: Bool = false) {
        if isList, let earlier = own[key] {
            own[key] = earlier + "," + value
        } else {
            own[key] = value
        }
    }

    private static func check(_ pairs: [String: String]) throws(DaybookError) {
        guard !pairs.isEmpty else { return }
        if let key = pairs.keys.filter({ $0.hasPrefix(ownPrefix) }).min() {
            throw DaybookError(
                .invalidArgument,
                "The metadata has the key '\(key)': keys that begin with '\(ownPrefix)' are noted"
                    + " by the store itself. Choose another key.",
                details: ["key": key])
        }
        let length = pairs.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        guard length > lengthBytesMax else { return }
        throw DaybookError(
            .invalidArgument,
            "The metadata of a transaction has \(length) bytes; at most \(lengthBytesMax) may be"
                + " noted with a commit. Store what is longer as an object, and note its id.",
            details: ["bytes": String(length), "bytesMax": String(lengthBytesMax)])
    }
}
