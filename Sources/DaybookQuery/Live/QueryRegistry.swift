import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Finds the live queries that a change can affect.
struct QueryRegistry: Sendable {
    /// The queries for objects of one entity.
    private struct Own: Sendable {
        /// The queries whose conditions require no keys.
        var others: Set<Int> = []
        var trees: [RequiredKeys.Group: SpanTree] = [:]
    }

    private var own: [UInt32: Own] = [:]
    /// The group whose keys find a query, by query.
    private var groups: [Int: RequiredKeys.Group] = [:]
    /// The queries that reach objects of an entity by links, and the properties that they read.
    private var followers: [UInt32: [Int: Set<UInt32>]] = [:]
    private var byRelation: [UInt32: Set<Int>] = [:]
    /// The queries with keys of a relation's targets that read targets only by that relation: only
    /// the targets in their spans concern them.
    private var selectiveFollowers: Set<Int> = []
    private var isPrepared = true

    /// - Parameter usesKeys: whether the query is found by its keys; else all changes of its entity
    ///   affect it.
    mutating func insert(_ query: QueryRunner, _ number: Int, usesKeys: Bool) {
        isPrepared = false
        let dependencies = QueryDependencies(query)
        var keyed: QueryRelation?
        if usesKeys, dependencies.isOfFound, let keys = RequiredKeys(query.condition) {
            groups[number] = keys.group
            own[query.entity, default: Own()].trees[keys.group, default: SpanTree()]
                .insert(keys.spans, number)
            if case .target(let relation) = keys.group { keyed = relation }
        } else {
            own[query.entity, default: Own()].others.insert(number)
        }
        for (entity, properties) in dependencies.properties {
            followers[entity, default: [:]][number] = properties
        }
        if let keyed, dependencies.reachesTargets(onlyBy: keyed) {
            selectiveFollowers.insert(number)
        }
        for relation in dependencies.relations {
            // The keys find the links of the relation.
            if let keyed, relation == keyed.relationID, dependencies.follows(onlyFirst: keyed) {
                continue
            }
            byRelation[relation, default: []].insert(number)
        }
    }

    mutating func remove(_ query: QueryRunner, _ number: Int) {
        isPrepared = false
        own[query.entity]?.others.remove(number)
        if let group = groups.removeValue(forKey: number) {
            own[query.entity]?.trees[group]?.remove(number)
            if own[query.entity]?.trees[group]?.isEmpty ?? false {
                own[query.entity]?.trees[group] = nil
            }
        }
        selectiveFollowers.remove(number)
        for entity in followers.keys { followers[entity]?[number] = nil }
        for relation in byRelation.keys { byRelation[relation]?.remove(number) }
    }

    /// Prepares the registry for lookups.
    mutating func prepare() {
        guard !isPrepared else { return }
        isPrepared = true
        for entity in own.keys {
            for group in own[entity, default: Own()].trees.keys {
                own[entity]?.trees[group]?.prepare()
            }
        }
    }

    /// The properties whose keys find queries of an entity.
    func groups(of entity: UInt32) -> [RequiredKeys.Group] {
        own[entity].map { Array($0.trees.keys) } ?? []
    }

    /// The queries of an entity that each change of an object affects, whatever its keys.
    func others(of entity: UInt32) -> Set<Int> { own[entity]?.others ?? [] }

    /// The queries that only some changes of an entity affect: the queries found by keys, and the
    /// queries that reach its objects by links.
    func selective(of entity: UInt32) -> Set<Int> {
        var numbers = Set((followers[entity] ?? [:]).keys)
        for tree in (own[entity]?.trees ?? [:]).values { tree.findAll(into: &numbers) }
        return numbers
    }

    /// The queries of an entity that an object with these keys can affect: a key for each state of
    /// the object and each group; nil for an unknown key.
    func concerned(
        by entity: UInt32, _ keys: [RequiredKeys.Group: [[UInt8]?]]
    ) -> Set<Int> {
        guard let own = own[entity] else { return [] }
        var numbers = own.others
        for (group, keys) in keys {
            for key in keys {
                if let key {
                    own.trees[group]?.find(key, into: &numbers)
                } else {
                    own.trees[group]?.findAll(into: &numbers)
                }
            }
        }
        return numbers
    }

    /// Whether queries reach objects of an entity by links.
    func isFollowed(_ entity: UInt32) -> Bool { !(followers[entity]?.isEmpty ?? true) }

    /// The queries that reach an object of an entity by links and read one of the properties; any
    /// properties if `properties` is nil.
    func followers(of entity: UInt32, _ id: UInt64, asking properties: Set<UInt32>?) -> [Int] {
        guard let followers = followers[entity] else { return [] }
        let asking = followers.filter { properties?.isDisjoint(with: $0.value) != true }.keys
        guard asking.contains(where: selectiveFollowers.contains) else { return Array(asking) }
        var reached: Set<Int> = []
        for own in own.values {
            for case (.target(let relation), let tree) in own.trees where relation.target == entity
            {
                tree.find(KeySpan.key(ofId: id), into: &reached)
            }
        }
        return asking.filter {
            !selectiveFollowers.contains($0) || !isKeyed($0, byTargetIn: entity)
                || reached.contains($0)
        }
    }

    private func isKeyed(_ number: Int, byTargetIn entity: UInt32) -> Bool {
        if case .target(let relation) = groups[number] { relation.target == entity } else { false }
    }

    /// The queries that follow a relation.
    func following(_ relation: UInt32) -> Set<Int> { byRelation[relation] ?? [] }
}
