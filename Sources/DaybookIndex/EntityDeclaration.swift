/// An entity as a program declares it: an ``EntityLayout`` that has no numbers yet.
package struct EntityDeclaration: Sendable, Hashable {
    package var name: String
    package var kind: EntityKind
    package var fields: [FieldDeclaration]
    package var indexes: [IndexDeclaration]
    package var attributes: [String: String]
    /// Names that the entity had in earlier releases of the program.
    package var formerNames: [String]

    package init(
        name: String, kind: EntityKind = .object, fields: [FieldDeclaration],
        indexes: [IndexDeclaration] = [], attributes: [String: String] = [:],
        formerNames: [String] = []
    ) {
        self.name = name
        self.kind = kind
        self.fields = fields
        self.indexes = indexes
        self.attributes = attributes
        self.formerNames = formerNames
    }
}
