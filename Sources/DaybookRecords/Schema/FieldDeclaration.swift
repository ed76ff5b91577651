/// A property as declared by a program: a ``Field`` without a number.
package struct FieldDeclaration: Sendable, Hashable {
    package var name: String
    package var shape: ValueShape
    package var attributes: [String: String]
    /// Names that the property had in earlier releases of the program.
    package var formerNames: [String]
    /// The delete rules of a relation. They belong to the program and are not stored.
    package var rules: RemovalRules

    package init(
        name: String, shape: ValueShape, attributes: [String: String] = [:],
        formerNames: [String] = [], rules: RemovalRules = RemovalRules()
    ) {
        self.name = name
        self.shape = shape
        self.attributes = attributes
        self.formerNames = formerNames
        self.rules = rules
    }

    /// Creates a property without an element type.
    package init(
        name: String, type: FieldType, isOptional: Bool = false, attributes: [String: String] = [:]
    ) {
        self.init(
            name: name, shape: ValueShape(type, isOptional: isOptional), attributes: attributes)
    }

    package var type: FieldType { shape.type }
    package var isOptional: Bool {
        get { shape.isOptional }
        set { shape.isOptional = newValue }
    }
}
