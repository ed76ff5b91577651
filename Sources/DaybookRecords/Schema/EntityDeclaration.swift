package import DaybookBytes

/// An entity as declared by a program: an ``EntityLayout`` without numbers.
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

extension EntityDeclaration {
    /// Checks the declaration on its own. Throws `.schemaMismatch` for empty or duplicate names,
    /// for too many properties, for former names that are still declared, and for indexes over
    /// unknown properties.
    package func check() throws(DaybookError) {
        guard !name.isEmpty else {
            throw DaybookError(.schemaMismatch, "An entity has no name; give it one.")
        }
        guard fields.count <= RecordFormat.fieldCountMax else {
            throw mismatch(
                "The entity \(name) has \(fields.count) properties and may have "
                    + "\(RecordFormat.fieldCountMax); move some to an entity of their own.")
        }
        var names: Set<String> = []
        for field in fields {
            guard !field.name.isEmpty else {
                throw mismatch("A property of the entity \(name) has no name; give it one.")
            }
            guard names.insert(field.name).inserted else {
                throw mismatch(
                    "The entity \(name) declares the property \(field.name) twice; rename one.",
                    field.name)
            }
        }
        for field in fields where field.shape.holdsRelation || field.type.isRelation {
            guard kind == .object, field.type.isRelation else {
                throw mismatch(
                    "The property \(field.name) of \(name) is a relation in an event, an embedded"
                        + " type or a collection, which can contain only values. Store the other"
                        + " object's id instead.", field.name)
            }
        }
        for field in fields {
            for former in field.formerNames where names.contains(former) {
                throw mismatch(
                    "The property \(field.name) of \(name) has the former name \(former), but"
                        + " \(former) is also declared. Remove one of them.", field.name)
            }
        }
        for index in indexes {
            guard index.columns.count <= RecordFormat.indexColumnCountMax, !index.columns.isEmpty
            else {
                throw mismatch(
                    "An index of \(name) has \(index.columns.count) properties; it may have 1 to"
                        + " \(RecordFormat.indexColumnCountMax).")
            }
            for column in index.columns where !names.contains(column) {
                throw mismatch(
                    "An index of the entity \(name) covers '\(column)', which is not one of its"
                        + " properties. Use the stored names of properties.", column)
            }
        }
    }

    private func mismatch(_ message: String, _ property: String? = nil) -> DaybookError {
        var details = ["entity": name]
        details["property"] = property
        return DaybookError(.schemaMismatch, message, details: details)
    }
}
