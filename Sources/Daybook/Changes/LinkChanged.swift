import DaybookEngine
import DaybookRecords

/// A link between two objects that a commit added or removed.
public struct LinkChanged: Sendable, Hashable {
    /// Whether the link was added; false if it was removed.
    public let isLink: Bool
    /// The name of the relation in the store, such as `Order.customer`.
    public let relation: String
    /// The name in the store of the entity that declares the relation.
    public let sourceEntity: String
    /// The id of the object that the link starts from.
    public let source: Id
    /// The name in the store of the target entity of the relation.
    public let targetEntity: String
    /// The id of the object that the link points to.
    public let target: Id
    /// The key of the object in a map of objects; nil for other relations.
    public let key: String?

    init(_ change: LinkChange, _ schemas: SchemaTable) {
        let schema = schemas.schema
        let known = schema.relation(change.relation)
        func name(_ entity: UInt32?) -> String {
            entity.flatMap { schema.entity($0)?.name } ?? "unknown"
        }
        isLink = change.isLink
        relation = schema.relationName(change.relation)
        sourceEntity = name(known?.entityID)
        source = change.source
        targetEntity = name(known?.targetEntityID)
        target = change.target
        key = known?.type == .keyedObjects ? change.position.flatMap(LinkKey.key) : nil
    }
}
