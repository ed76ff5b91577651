/// Which objects and links some commits have touched: as much as a live query is told, and no more
/// however many commits there were.
package struct CommitTouches: Sendable {
    /// Of more objects of one entity it is only known that there were very many.
    private let idCountMax: Int

    /// The objects that were put or removed, by entity.
    private var objects: [UInt32: Set<UInt64>] = [:]
    /// The objects from which links were added or removed, by relation, and those to which.
    private var sources: [UInt32: Set<UInt64>] = [:]
    private var targets: [UInt32: Set<UInt64>] = [:]
    /// Entities and relations with too many to remember.
    private var overflowedEntities: Set<UInt32> = []
    private var overflowedRelations: Set<UInt32> = []

    package init(idCountMax: Int = 1 << 16) { self.idCountMax = idCountMax }

    /// Whether nothing was touched.
    package var isEmpty: Bool { entities.isEmpty && relations.isEmpty }

    /// The entities of which objects were touched.
    package var entities: Set<UInt32> { overflowedEntities.union(objects.keys) }
    /// The relations of which links were touched.
    package var relations: Set<UInt32> { overflowedRelations.union(sources.keys) }

    /// An object was put or removed.
    package mutating func add(entity: UInt32, id: UInt64) {
        Self.add(id, entity, to: &objects, &overflowedEntities, idCountMax)
    }

    /// A link was added or removed.
    package mutating func add(relation: UInt32, source: UInt64, target: UInt64) {
        Self.add(source, relation, to: &sources, &overflowedRelations, idCountMax)
        Self.add(target, relation, to: &targets, &overflowedRelations, idCountMax)
        if overflowedRelations.contains(relation) { forgetEnds(of: relation) }
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

    /// The objects of an entity that were put or removed; nil where they are too many to say.
    package func ids(of entity: UInt32) -> Set<UInt64>? {
        overflowedEntities.contains(entity) ? nil : objects[entity] ?? []
    }

    /// The objects from which links of some relations were added or removed; nil where they are
    /// too many to say.
    package func sources(of relations: Set<UInt32>) -> Set<UInt64>? {
        guard overflowedRelations.isDisjoint(with: relations) else { return nil }
        var ids: Set<UInt64> = []
        for relation in relations { ids.formUnion(sources[relation] ?? []) }
        return ids
    }

    /// The objects at one end of links of a relation that were added or removed; nil where they
    /// are too many to say.
    func ends(of relation: UInt32, areTargets: Bool) -> Set<UInt64>? {
        guard !overflowedRelations.contains(relation) else { return nil }
        return (areTargets ? targets[relation] : sources[relation]) ?? []
    }

    /// Adds what others have touched.
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
