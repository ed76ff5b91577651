#if Macros
internal import SwiftDiagnostics
internal import SwiftSyntax

extension EntityFixIt {
    /// Inserts an attribute, such as `@Transient`, before a property.
    static func add(_ attribute: String, to declaration: VariableDeclSyntax) -> FixIt {
        let changes = declaration.firstToken(viewMode: .sourceAccurate).map { token in
            [replaceNode(token, by: "\(attribute) \(token.text)")]
        }
        let name = declaration.bindings.first?.pattern.trimmedDescription ?? ""
        let title = attribute == "@Transient" ? "mark it @Transient" : "mark '\(name)' \(attribute)"
        return fixIt("addAttribute", title, changes ?? [])
    }

    /// Removes an attribute, with its line if it is alone on the line.
    static func remove(_ attribute: AttributeSyntax) -> FixIt {
        let name = attribute.attributeName.trimmedDescription
        return fixIt("removeAttribute", "remove '@\(name)'", [removal(of: attribute)])
    }

    /// Replaces an attribute by another one.
    static func replace(_ attribute: AttributeSyntax, by text: String) -> FixIt {
        fixIt("replaceAttribute", "change it to '\(text)'", [replaceNode(attribute, by: text)])
    }

    /// Replaces a value by the name of a case.
    static func replace(_ value: ExprSyntax, byCase name: String) -> FixIt {
        fixIt("replaceCase", "change it to '.\(name)'", [replaceNode(value, by: ".\(name)")])
    }

    /// Moves the primary keys of several properties to the type.
    static func combine(
        _ attributes: [AttributeSyntax], naming names: [String], on type: TypeDeclaration
    ) -> FixIt {
        let key = "@PrimaryKey(" + names.map { "\"\($0)\"" }.joined(separator: ", ") + ")"
        let token = type.modifiers.first?.firstToken(viewMode: .sourceAccurate) ?? type.keyword
        let changes =
            attributes.map { removal(of: $0) }
            + [replaceNode(token, by: "\(key) \(token.text)")]
        return fixIt("combine", "write '\(key)' on the type", changes)
    }

    /// Replaces an unknown property name by the name of another property.
    static func rename(_ literal: some SyntaxProtocol, to name: String) -> FixIt {
        fixIt("rename", "change it to '\(name)'", [replaceNode(literal, by: "\"\(name)\"")])
    }

    /// Removes the optional around a relation's type, and the default `nil`.
    static func unwrap(_ type: TypeSyntax, as wrapped: TypeSyntax, withNil: Bool) -> FixIt {
        let text = wrapped.trimmedDescription + (withNil ? " = nil" : "")
        return fixIt("unwrap", "change the type to '\(text)'", [replaceNode(type, by: text)])
    }

    private static func removal(of attribute: AttributeSyntax) -> FixIt.Change {
        let standsAlone =
            attribute.leadingTrivia.hasNewline
            && attribute.nextToken(viewMode: .sourceAccurate)?.leadingTrivia.hasNewline == true
        var nothing = TokenSyntax.unknown("")
        if !standsAlone { nothing.leadingTrivia = attribute.leadingTrivia }
        return .replace(oldNode: Syntax(attribute), newNode: Syntax(nothing))
    }
}
#endif
