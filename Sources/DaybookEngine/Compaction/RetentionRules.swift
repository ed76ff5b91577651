import DaybookBytes
import DaybookRecords

/// The rules of one compaction, by the numbers of entities and relations, with fixed floors.
struct RetentionRules {
    /// The rule of all other entities, and of commits.
    let standard: HistoryRule
    private let entities: [UInt32: HistoryRule]
    private let relations: [UInt32: HistoryRule]
    /// The sequence below which the history may have gaps; 0 if all history is kept.
    let floor: UInt64

    /// - Parameters:
    ///   - newest: the floor of rules without one: the sequence of the newest state.
    ///   - number: returns the number of an entity, or throws for an unknown name.
    init(
        _ policy: HistoryPolicy, newest: UInt64, _ schema: Schema,
        number: (String) throws(DaybookError) -> UInt32
    ) throws(DaybookError) {
        func fixed(_ rule: HistoryRule) -> HistoryRule {
            HistoryRule(floor: min(rule.floor, newest), versionCount: rule.versionCount)
        }
        standard = fixed(policy.rule)
        var entities: [UInt32: HistoryRule] = [:]
        for (name, rule) in policy.entities { entities[try number(name)] = fixed(rule) }
        var relations: [UInt32: HistoryRule] = [:]
        for relation in schema.relations {
            relations[relation.relationID] = entities[relation.entityID]
        }
        (self.entities, self.relations) = (entities, relations)
        floor = entities.values.reduce(standard.floor) { max($0, $1.floor) }
    }

    /// The rule of an entity's objects.
    func rule(of entity: UInt32) -> HistoryRule {
        entities.isEmpty ? standard : entities[entity] ?? standard
    }

    /// The rule of an entity's events. Events are appended facts and not versions, so only a rule
    /// of their entity drops them.
    func rule(ofEvents entity: UInt32) -> HistoryRule {
        entities.isEmpty ? .all : entities[entity] ?? .all
    }

    /// The rule of a relation's links: that of the entity that declares the relation.
    func rule(ofLinks relation: UInt32) -> HistoryRule {
        relations.isEmpty ? standard : relations[relation] ?? standard
    }

    private var all: [HistoryRule] { [standard] + entities.values }

    /// The last sequence whose records must be counted before the first decision; 0 if none.
    func countedFloor(newest: UInt64) -> UInt64 {
        all.filter { $0.isCounted(newest: newest) }.reduce(0) { max($0, $1.floor) }
    }

    /// Whether a rule drops history and needs no counts.
    func hasUncountedFloor(newest: UInt64) -> Bool {
        all.contains { $0.floor > 0 && !$0.isCounted(newest: newest) }
    }
}

extension HistoryRule {
    /// Whether the superseded versions must be counted. For the last version at the sequence
    /// `newest`, the index entry of an object suffices.
    func isCounted(newest: UInt64) -> Bool { floor < newest || versionCount > 1 }
}
