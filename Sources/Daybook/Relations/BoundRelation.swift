import DaybookBytes
import DaybookEngine
import DaybookRecords
import Synchronization

/// One relation of an entity, or a backlink of it, as a store has it.
final class BoundRelation: Sendable {
    /// What people call it: the property's name.
    let name: String
    let entityName: String
    let isBackward: Bool
    /// What the property is called whose links it reads.
    let origin: String
    /// The type of the objects at the other end.
    let target: any Entity.Type
    let type: FieldType
    /// The property whose links it reads: the place of its entity among the declarations of the
    /// opening, and its own in that entity.
    let declaration: Int
    let field: Int
    private let relationID: UInt32
    private let engine: Engine
    /// In a store that was opened read-only, the number is the writer's to give.
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

    /// The links of an object; nil in a read-only store that has no such relation yet.
    func end(of host: Id) throws(DaybookError) -> LinkEnd? {
        guard let relation = try number() else { return nil }
        return LinkEnd(
            relation: relation, isBackward: isBackward, id: host, isList: type == .objects)
    }

    /// The number of the relation; nil in a read-only store that has no such relation yet.
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

    /// Throws `.schemaMismatch` where code reads it as a relation to another type.
    func require(_ type: any Entity.Type) throws(DaybookError) {
        guard target != type else { return }
        throw DaybookError(
            .schemaMismatch,
            "'\(name)' of '\(entityName)' leads to \(target), and is used as if it led to \(type)."
                + " Use it with the type that the entity's description says.",
            details: ["entity": entityName, "property": name])
    }
}

extension EntityBinding {
    /// Throws `.schemaMismatch` for a place at which the description has no relation to `target`.
    func relation(
        at place: RelationPlace, to target: any Entity.Type
    ) throws(DaybookError) -> BoundRelation {
        guard let found = relations[place] else {
            throw DaybookError(
                .schemaMismatch,
                "The description of '\(name)' has no relation at \(place). Use relations in its"
                    + " order.",
                details: ["entity": name])
        }
        try found.require(target)
        return found
    }
}
