import DaybookBytes
import DaybookEngine
import DaybookIndex

/// Which live queries a change can concern.
struct QueryRegistry: Sendable {
    /// The queries of one entity whose objects are judged by their own rows.
    private struct Local: Sendable {
        /// Whose conditions require no keys.
        var others: Set<Int> = []
        var trees: [RequiredKeys.Group: SpanTree] = [:]
    }

    private var local: [UInt32: Local] = [:]
    /// The queries that are run again, by the entities and relations that they depend on.
    private var byEntity: [UInt32: Set<Int>] = [:]
    private var byRelation: [UInt32: Set<Int>] = [:]
    private var isPrepared = true

    /// - Parameter usesKeys: otherwise all changes of its entity are told.
    mutating func insert(_ query: QueryRunner, _ number: Int, usesKeys: Bool) {
        isPrepared = false
        let dependencies = QueryDependencies(query)
        guard dependencies.isLocal else {
            for entity in dependencies.entities.union([query.entity]) {
                byEntity[entity, default: []].insert(number)
            }
            for relation in dependencies.relations {
                byRelation[relation, default: []].insert(number)
            }
            return
        }
        if usesKeys, let keys = RequiredKeys(query.condition) {
            local[query.entity, default: Local()].trees[keys.group, default: SpanTree()]
                .insert(keys.spans, number)
        } else {
            local[query.entity, default: Local()].others.insert(number)
        }
    }

    mutating func remove(_ query: QueryRunner, _ number: Int) {
        isPrepared = false
        local[query.entity]?.others.remove(number)
        if let group = RequiredKeys(query.condition)?.group {
            local[query.entity]?.trees[group]?.remove(number)
            if local[query.entity]?.trees[group]?.isEmpty ?? false {
                local[query.entity]?.trees[group] = nil
            }
        }
        for entity in byEntity.keys { byEntity[entity]?.remove(number) }
        for relation in byRelation.keys { byRelation[relation]?.remove(number) }
    }

    /// Makes it ready to be asked.
    mutating func prepare() {
        guard !isPrepared else { return }
        isPrepared = true
        for entity in local.keys {
            for group in local[entity, default: Local()].trees.keys {
                local[entity]?.trees[group]?.prepare()
            }
        }
    }

    /// The properties of whose keys queries of an entity speak.
    func groups(of entity: UInt32) -> [RequiredKeys.Group] {
        local[entity].map { Array($0.trees.keys) } ?? []
    }

    /// The queries that can be concerned by an object whose keys are these: a key for each state
    /// of the object and each group; nil for one that is not known.
    func concerned(
        by entity: UInt32, _ keys: [RequiredKeys.Group: [[UInt8]?]]
    ) -> Set<Int> {
        var numbers = byEntity[entity] ?? []
        guard let local = local[entity] else { return numbers }
        numbers.formUnion(local.others)
        for (group, keys) in keys {
            for key in keys {
                if let key {
                    local.trees[group]?.find(key, into: &numbers)
                } else {
                    local.trees[group]?.findAll(into: &numbers)
                }
            }
        }
        return numbers
    }

    /// The queries that follow a relation.
    func following(_ relation: UInt32) -> Set<Int> { byRelation[relation] ?? [] }
}
