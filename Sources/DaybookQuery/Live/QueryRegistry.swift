import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Which live queries a change can concern.
struct QueryRegistry: Sendable {
    /// The queries for objects of one entity.
    private struct Own: Sendable {
        /// Whose conditions require no keys.
        var others: Set<Int> = []
        var trees: [RequiredKeys.Group: SpanTree] = [:]
    }

    private var own: [UInt32: Own] = [:]
    /// The group by whose keys a query is found.
    private var groups: [Int: RequiredKeys.Group] = [:]
    /// The queries that look at objects of an entity over links, and at which properties.
    private var followers: [UInt32: [Int: Set<UInt32>]] = [:]
    private var byRelation: [UInt32: Set<Int>] = [:]
    private var isPrepared = true

    /// - Parameter usesKeys: otherwise all changes of its entity are told.
    mutating func insert(_ query: QueryRunner, _ number: Int, usesKeys: Bool) {
        isPrepared = false
        let dependencies = QueryDependencies(query)
        if usesKeys, dependencies.isOfFound, let keys = RequiredKeys(query.condition) {
            groups[number] = keys.group
            own[query.entity, default: Own()].trees[keys.group, default: SpanTree()]
                .insert(keys.spans, number)
        } else {
            own[query.entity, default: Own()].others.insert(number)
        }
        for (entity, properties) in dependencies.properties {
            followers[entity, default: [:]][number] = properties
        }
        for relation in dependencies.relations { byRelation[relation, default: []].insert(number) }
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
        for entity in followers.keys { followers[entity]?[number] = nil }
        for relation in byRelation.keys { byRelation[relation]?.remove(number) }
    }

    /// Makes it ready to be asked.
    mutating func prepare() {
        guard !isPrepared else { return }
        isPrepared = true
        for entity in own.keys {
            for group in own[entity, default: Own()].trees.keys {
                own[entity]?.trees[group]?.prepare()
            }
        }
    }

    /// The properties of whose keys queries of an entity speak.
    func groups(of entity: UInt32) -> [RequiredKeys.Group] {
        own[entity].map { Array($0.trees.keys) } ?? []
    }

    /// The queries for objects of an entity that can be concerned by one whose keys are these: a
    /// key for each state of the object and each group; nil for one that is not known.
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

    /// Whether queries look at objects of an entity over links.
    func isFollowed(_ entity: UInt32) -> Bool { !(followers[entity]?.isEmpty ?? true) }

    /// The queries that look over links at objects of an entity, and at one of some properties; at
    /// any with nil.
    func followers(of entity: UInt32, asking properties: Set<UInt32>?) -> [Int] {
        guard let followers = followers[entity] else { return [] }
        guard let properties else { return Array(followers.keys) }
        return followers.filter { !$0.value.isDisjoint(with: properties) }.map(\.key)
    }

    /// The queries that follow a relation.
    func following(_ relation: UInt32) -> Set<Int> { byRelation[relation] ?? [] }
}
