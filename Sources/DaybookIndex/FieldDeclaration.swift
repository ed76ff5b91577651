/// A property as a program declares it: a ``Field`` that has no number yet.
package struct FieldDeclaration: Sendable, Hashable {
    package var name: String
    package var type: FieldType
    package var isOptional: Bool
    package var attributes: [String: String]

    package init(
        name: String, type: FieldType, isOptional: Bool = false, attributes: [String: String] = [:]
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.attributes = attributes
    }
}
