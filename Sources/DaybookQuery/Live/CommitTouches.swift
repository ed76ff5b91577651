package import DaybookEngine

/// The objects and links that a range of commits touched. Its size is bounded, however many commits
/// there were.
package struct CommitTouches: Sendable {
    /// The maximum number of ids kept for one entity or one end of a relation. Beyond it, only the
    /// fact that the entity or relation was touched is kept.
    private let idCountMax: Int

    /// The objects that were put or removed, by entity.
    private var objects: [UInt32: Set<UInt64>] = [:]
    /// The sources and the targets of added or removed links, by relation.
    private var sources: [UInt32: Set<UInt64>] = [:]
    private var targets: [UInt32: Set<UInt64>] = [:]
    /// Entities and relations with more than `idCountMax` ids.
    private var overflowedEntities: Set<UInt32> = []
    private var overflowedRelations: Set<UInt32> = []

    /// The default of that number.
    package static let idCountMax = 1 << 16

    package init(idCountMax: Int = CommitTouches.idCountMax) { self.idCountMax = idCountMax }

    /// The entities with touched objects.
    package var entities: Set<UInt32> { overflowedEntities.union(objects.keys) }
    /// The relations with touched links.
    package var relations: Set<UInt32> { overflowedRelations.union(sources.keys) }

    /// Whether further objects of an entity change nothing, because there are too many.
    func isFull(entity: UInt32) -> Bool { overflowedEntities.contains(entity) }

    /// Whether further links of a relation change nothing, because there are too many.
    func isFull(relation: UInt32) -> Bool { overflowedRelations.contains(relation) }

    /// Adds an object that was put or removed.
    package mutating func add(entity: UInt32, id: UInt64) {
        Self.add(id, entity, to: &objects, &overflowedEntities, idCountMax)
    }

    /// Adds a link that was added or removed.
    package mutating func add(relation: UInt32, source: UInt64, target: UInt64) {
        Self.add(source, relation, to: &sources, &overflowedRelations, idCountMax)
        Self.add(target, relation, to: &targets, &overflowedRelations, idCountMax)
        if overflowedRelations.contains(relation) { forgetEnds(of: relation) }
    }

    /// Adds the objects and links of a commit, except events.
    package mutating func add(_ commit: CommitChanges) {
        for change in commit.objects where change.kind != .event {
            add(entity: change.entity, id: change.id)
        }
        for link in commit.links {
            add(relation: link.relation, source: link.source, target: link.target)
        }
    }

    private mutating func forgetEnds(of relation: UInt32) {
        (sources[relation], targets[relation]) = (nil, nil)
    }

    private static func add(
        _ id: UInt64, _ number: UInt32, to ids: inout [UInt32: Set<UInt64>],
        _ overflowed: inout Set<UInt32>, _ idCountMax: Int
    ) {
        guard !overflowed.contains(number) else { return }
        ids[number, default: []].insert(id)
        guard ids[number, default: []].count > idCountMax else { return }
        ids[number] = nil
        overflowed.insert(number)
    }

    /// The objects of an entity that were put or removed; nil if there are too many.
    package func ids(of entity: UInt32) -> Set<UInt64>? {
        overflowedEntities.contains(entity) ? nil : objects[entity] ?? []
    }

    /// The sources of the added or removed links of some relations; nil if there are too many.
    package func sources(of relations: Set<UInt32>) -> Set<UInt64>? {
        guard overflowedRelations.isDisjoint(with: relations) else { return nil }
        var ids: Set<UInt64> = []
        for relation in relations { ids.formUnion(sources[relation] ?? []) }
        return ids
    }

    /// The objects at one end of the added or removed links of a relation; nil if there are too
    /// many.
    func ends(of relation: UInt32, areTargets: Bool) -> Set<UInt64>? {
        guard !overflowedRelations.contains(relation) else { return nil }
        return (areTargets ? targets[relation] : sources[relation]) ?? []
    }

    /// Adds the objects and links of `other`.
    package mutating func formUnion(_ other: CommitTouches) {
        for (entity, ids) in other.objects { for id in ids { add(entity: entity, id: id) } }
        for (relation, ids) in other.sources {
            for id in ids { Self.add(id, relation, to: &sources, &overflowedRelations, idCountMax) }
        }
        for (relation, ids) in other.targets {
            for id in ids { Self.add(id, relation, to: &targets, &overflowedRelations, idCountMax) }
        }
        for entity in other.overflowedEntities { objects[entity] = nil }
        overflowedEntities.formUnion(other.overflowedEntities)
        overflowedRelations.formUnion(other.overflowedRelations)
        for relation in overflowedRelations { forgetEnds(of: relation) }
    }
}
