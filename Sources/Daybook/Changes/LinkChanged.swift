import DaybookEngine

/// A link between two objects that a commit made or undid.
public struct LinkChanged: Sendable, Hashable {
    /// Whether it was made, and not undone.
    public let isLink: Bool
    /// The relation, as `Order.customer`, by the names in the store.
    public let relation: String
    /// The entity whose property the relation is, by its name in the store.
    public let sourceEntity: String
    /// The object that the link leads from.
    public let source: Id
    /// The entity that the relation leads to, by its name in the store.
    public let targetEntity: String
    /// The object that the link leads to.
    public let target: Id

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
    }
}
