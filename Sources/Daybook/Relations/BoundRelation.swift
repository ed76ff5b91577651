import DaybookBytes
import DaybookEngine
import DaybookRecords
import Synchronization

/// A relation or backlink of an entity, resolved against the schema of a store.
final class BoundRelation: Sendable {
    /// The name of the property.
    let name: String
    let entityName: String
    let isBackward: Bool
    /// The name of the property whose links the relation reads.
    let origin: String
    /// The type of the objects at the other end.
    let target: any Entity.Type
    let type: FieldType
    /// The property whose links the relation reads: the index of its entity among the declarations
    /// passed at opening, and the index of its field in that entity.
    let declaration: Int
    let field: Int
    private let relationID: UInt32
    private let engine: Engine
    /// The declarations of a store that was opened read-only; nil in other stores. In a read-only
    /// store the writer assigns the number of the relation, so it must be looked up.
    private let followed: [EntityDeclaration]?
    private let known = Mutex<(layoutCount: Int, relationID: UInt32?)>((-1, nil))

    init(
        _ name: String, of entityName: String, isBackward: Bool, to target: any Entity.Type,
        _ declaration: Int, field: Int, origin: String, _ layout: EntityLayout, _ engine: Engine,
        followed: [EntityDeclaration]?
    ) {
        self.name = name
        self.entityName = entityName
        self.isBackward = isBackward
        self.target = target
        self.declaration = declaration
        self.field = field
        self.origin = origin
        type = layout.fields[field].type
        relationID = layout.fields[field].relation?.relationID ?? 0
        self.engine = engine
        self.followed = followed
    }

    /// Returns the end of an object's links; nil in a read-only store that does not have the
    /// relation yet.
    func end(of host: Id) throws(DaybookError) -> LinkEnd? {
        guard let relation = try number() else { return nil }
        return LinkEnd(
            relation: relation, isBackward: isBackward, id: host, isList: type.hasPositions)
    }

    /// Returns the number of the relation; nil in a read-only store that does not have the relation
    /// yet.
    func number() throws(DaybookError) -> UInt32? {
        guard let followed else { return relationID }
        let schema = engine.schemas.schema
        let count = schema.layouts.count
        if let known = known.withLock({ $0.layoutCount == count ? $0 : nil }) {
            return known.relationID
        }
        let layout = try engine.readingLayout(of: followed, at: declaration)
        let property = layout.fields[field]
        var found: UInt32?
        if let number = property.relation?.relationID, let stored = schema.relation(number),
            stored.entityID == layout.entityID, stored.propertyID == property.propertyID
        {
            found = number
        }
        known.withLock { $0 = (count, found) }
        return found
    }

    /// Throws `.schemaMismatch` if the target type of the relation is not `type`.
    func require(_ type: any Entity.Type) throws(DaybookError) {
        guard target != type else { return }
        throw DaybookError(
            .schemaMismatch,
            "'\(name)' of '\(entityName)' is a relation to \(target), not to \(type). Use the type"
                + " that the entity's description declares.",
            details: ["entity": entityName, "property": name])
    }
}

extension EntityBinding {
    /// Returns the relation at a place. Throws `.schemaMismatch` if the entity's description has no
    /// relation to `target` at that place.
    func relation(
        at place: RelationPlace, to target: any Entity.Type
    ) throws(DaybookError) -> BoundRelation {
        guard let found = relations[place] else {
            throw DaybookError(
                .schemaMismatch,
                "The description of '\(name)' has no relation at \(place). Use the relations in"
                    + " the order of the description.",
                details: ["entity": name])
        }
        try found.require(target)
        return found
    }
}
