/// The history that a compaction keeps.
package struct HistoryPolicy: Sendable, Hashable {
    /// The rule for all entities that ``entities`` does not name.
    package var rule: HistoryRule
    /// The rules of entities, by their names.
    package var entities: [String: HistoryRule]

    package init(_ rule: HistoryRule, entities: [String: HistoryRule] = [:]) {
        self.rule = rule
        self.entities = entities
    }

    package static let all = HistoryPolicy(.all)
    package static let latest = HistoryPolicy(.latest)
    package static func since(_ floor: UInt64) -> HistoryPolicy { HistoryPolicy(.since(floor)) }
    package static func versions(_ count: Int) -> HistoryPolicy { HistoryPolicy(.versions(count)) }

    /// The sequence below which the history may have gaps; 0 if all history is kept.
    package var floor: UInt64 { entities.values.reduce(rule.floor) { max($0, $1.floor) } }

    /// Whether some history may be dropped.
    var dropsHistory: Bool { floor > 0 }

    /// Returns the same policy, but keeps everything after a sequence.
    func keeping(after sequence: UInt64) -> HistoryPolicy {
        HistoryPolicy(
            rule.keeping(after: sequence),
            entities: entities.mapValues { $0.keeping(after: sequence) })
    }
}

/// The history that a compaction keeps of the objects of an entity: everything after a sequence,
/// the floor, and the newest versions of each object up to the floor.
package struct HistoryRule: Sendable, Hashable {
    /// Everything after this sequence is kept. 0 keeps everything, ``newest`` nothing but versions.
    package var floor: UInt64
    /// The number of versions up to the floor that are kept, at least 1. A removal counts as a
    /// version, except that one version keeps nothing of a removed object.
    package var versionCount: Int

    /// The floor that rises to the newest state when the compaction begins.
    package static let newest = UInt64.max

    /// Keeps everything and only gathers payloads into compressed blocks.
    package static let all = HistoryRule(floor: 0, versionCount: 1)
    /// Keeps the last version of each object. Drops older versions and removed objects.
    package static let latest = versions(1)

    /// Keeps the state at this sequence and everything that happened later. Drops versions that
    /// were superseded up to it, and objects that were removed up to it.
    package static func since(_ floor: UInt64) -> HistoryRule {
        HistoryRule(floor: floor, versionCount: 1)
    }

    /// Keeps the newest versions of each object.
    package static func versions(_ count: Int) -> HistoryRule {
        HistoryRule(floor: newest, versionCount: max(1, count))
    }

    func keeping(after sequence: UInt64) -> HistoryRule {
        HistoryRule(floor: min(floor, sequence), versionCount: versionCount)
    }
}

extension HistoryRule: CustomStringConvertible {
    /// The rule as an argument of `daybook compact --history`.
    package var description: String {
        switch (floor, versionCount) {
        case (0, _): "all"
        case (Self.newest, 1): "latest"
        case (Self.newest, let count): "versions=\(count)"
        case (let floor, 1): "since=\(floor)"
        case (let floor, let count): "versions=\(count) up to \(floor)"
        }
    }
}
