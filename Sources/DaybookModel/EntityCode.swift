#if Macros
/// The Swift text written for an entity.
///
/// The text qualifies every name of Daybook's, so that no name of the user's stands in its way, and
/// it is `nonisolated`, so that it compiles in a module that isolates to the main actor by
/// default. It is laid out for reading, because nobody formats it afterwards.
package struct EntityCode {
    private let model: EntityModel

    /// Prepares to write the code for `model`.
    package init(_ model: EntityModel) {
        self.model = model
    }

    /// The members that must stand in the declaration itself: `decode`; for a class also
    /// `init(row:)` and, where the class had it implicitly, `init()`.
    package func memberTexts() -> [String] {
        let modifiers = accessModifier + "nonisolated "
        switch model.shape {
        case .structure:
            return [decodeFunction(modifiers: modifiers)]
        case .finalClass:
            let row = [rowInitializer(modifiers: modifiers), decodeFunction(modifiers: modifiers)]
            switch model.emptyInitializer {
            case .unneeded: return row
            case .needed: return row + ["\(modifiers)init() {}"]
            case .overriding: return row + ["\(modifiers)override init() {}"]
            }
        }
    }

    /// The extension with everything else. `statingConformance` is false where the declaration
    /// itself says `: Entity`.
    package func extensionText(statingConformance: Bool) -> String {
        var members = [description]
        if model.shape == .structure { members.append(rowInitializer(modifiers: accessModifier)) }
        members.append(encodeFunction)
        if !model.declaresEntityId { members.append(entityIdProperty) }
        let conformance = statingConformance ? ": Daybook.Entity" : ""
        return """
            nonisolated extension \(model.qualifiedName)\(conformance) {
            \(members.map(indented).joined(separator: "\n\n"))
            }
            """
    }

    private var accessModifier: String {
        model.access == .inherited ? "" : model.access.rawValue + " "
    }

    private var description: String {
        let head = "\(accessModifier)static let entityDescription = Daybook.EntityDescription("
        let name = literal(model.name)
        guard !model.properties.isEmpty else { return "\(head)\(name), [])" }
        let properties = model.properties.map { property in
            // A key path lets the compiler find the type that the declaration does not write. A
            // written type is used where there is one, because it compiles faster.
            let type = property.type.map { "\($0).self" }
            let path = "\\\(model.qualifiedName).\(property.spelling)"
            return "    .property(\(literal(property.name)), \(type ?? path)),"
        }
        return """
            \(head)\(name), [
            \(properties.joined(separator: "\n"))
            ])
            """
    }

    private func rowInitializer(modifiers: String) -> String {
        let reads = model.properties.enumerated().map { position, property in
            "    self.\(property.spelling) = try row.read(\(position))"
        }
        let identity = "    self.\(model.identitySpelling) = .init(objectId: row.id)"
        return """
            \(modifiers)init(row: borrowing Daybook.RowReader) throws {
            \(([identity] + reads).joined(separator: "\n"))
            }
            """
    }

    /// A signature that names the type compiles in the type only: in an extension the compiler
    /// refuses it where a type around this one is seen less far than the modifier says.
    private func decodeFunction(modifiers: String) -> String {
        """
        \(modifiers)static func decode(
            _ row: borrowing Daybook.RowReader
        ) throws -> Self {
            try Self(row: row)
        }
        """
    }

    private var encodeFunction: String {
        let head = "\(accessModifier)func encode(into row: inout Daybook.RowWriter) throws"
        guard !model.properties.isEmpty else { return "\(head) {}" }
        let writes = model.properties.enumerated().map { position, property in
            "    try row.write(self.\(property.spelling), at: \(position))"
        }
        return """
            \(head) {
            \(writes.joined(separator: "\n"))
            }
            """
    }

    private var entityIdProperty: String {
        """
        \(accessModifier)var entityId: Daybook.Id {
            get { self.\(model.identitySpelling).objectId }
            set { self.\(model.identitySpelling) = .init(objectId: newValue) }
        }
        """
    }

    private func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    " + $0 }
            .joined(separator: "\n")
    }

    /// A string literal of `name`: a raw identifier may hold a quotation mark.
    private func literal(_ name: String) -> String {
        var escaped = ""
        for character in name {
            if character == "\"" || character == "\\" { escaped.append("\\") }
            escaped.append(character)
        }
        return "\"\(escaped)\""
    }
}
#endif
