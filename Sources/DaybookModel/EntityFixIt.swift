#if Macros
package import SwiftDiagnostics
package import SwiftSyntax

/// The remedies that an editor can apply, each as the smallest edit that does it, so that several
/// can be applied to one declaration.
package enum EntityFixIt {
    /// Adds `final` to a class. An `open` class becomes `public final`, since `open` and `final`
    /// exclude each other.
    static func addFinal(to type: TypeDeclaration) -> FixIt {
        let open = type.modifiers.first { $0.name.text == "open" }
        let change =
            if let open {
                replaceText(of: open.name, by: "public final")
            } else {
                replaceText(of: type.keyword, by: "final \(type.keyword.text)")
            }
        return fixIt("addFinal", "add 'final'", [change])
    }

    /// Turns the modifier `private` into `fileprivate`.
    static func widen(_ modifier: DeclModifierSyntax) -> FixIt {
        let change = replaceText(of: modifier.name, by: "fileprivate")
        return fixIt("widen", "change 'private' to 'fileprivate'", [change])
    }

    /// Inserts `var id: Id = 0` as the first member.
    static func insertIdentity(into type: TypeDeclaration) -> FixIt {
        let brace = type.memberBlock.leftBrace
        let property = "var id: Id = 0"
        let text: String
        if let lead = type.memberBlock.members.first?.leadingTrivia, lead.hasNewline {
            text = "{\n" + lead.lastLineIndentation + property
        } else if !type.memberBlock.members.isEmpty {
            text = "{ \(property);"
        } else if type.memberBlock.rightBrace.leadingTrivia.hasNewline {
            let indentation = type.memberBlock.rightBrace.leadingTrivia.lastLineIndentation
            text = "{\n\(indentation)    \(property)"
        } else {
            text = brace.trailingTrivia.isEmpty ? "{ \(property) " : "{ \(property)"
        }
        return fixIt("insertIdentity", "insert '\(property)'", [replaceText(of: brace, by: text)])
    }

    /// Gives an id property the type `Id`, and the default 0 where its own cannot be one.
    static func giveIdentityType(to variable: StoredVariable) -> FixIt {
        var changes: [FixIt.Change] = []
        if let type = variable.type {
            changes.append(replaceNode(type, by: "Id"))
        } else {
            let name = variable.identifier
            changes.append(replaceText(of: name, by: "\(name.text): Id"))
        }
        if let value = variable.initialValue, !value.is(IntegerLiteralExprSyntax.self) {
            changes.append(replaceNode(value, by: "0"))
        }
        return fixIt("giveIdentityType", "change the type to 'Id'", changes)
    }

    /// Turns a `let` into a `var`.
    static func makeVariable(_ declaration: VariableDeclSyntax) -> FixIt {
        let change = replaceText(of: declaration.bindingSpecifier, by: "var")
        return fixIt("makeVariable", "change 'let' to 'var'", [change])
    }

    /// Puts `@Transient` in front of a property.
    static func addTransient(to declaration: VariableDeclSyntax) -> FixIt {
        let changes = declaration.firstToken(viewMode: .sourceAccurate).map { token in
            [replaceText(of: token, by: "@Transient \(token.text)")]
        }
        return fixIt("addTransient", "mark it @Transient", changes ?? [])
    }

    /// Removes an attribute, with its line where it stands on a line of its own.
    package static func remove(_ attribute: AttributeSyntax) -> FixIt {
        let standsAlone =
            attribute.leadingTrivia.hasNewline
            && attribute.nextToken(viewMode: .sourceAccurate)?.leadingTrivia.hasNewline == true
        var nothing = TokenSyntax.unknown("")
        if !standsAlone { nothing.leadingTrivia = attribute.leadingTrivia }
        let change = FixIt.Change.replace(oldNode: Syntax(attribute), newNode: Syntax(nothing))
        let name = attribute.attributeName.trimmedDescription
        return fixIt("removeAttribute", "remove '@\(name)'", [change])
    }

    private struct Message: FixItMessage {
        let message: String
        let fixItID: MessageID
    }

    private static func fixIt(_ id: String, _ text: String, _ changes: [FixIt.Change]) -> FixIt {
        let message = Message(message: text, fixItID: MessageID(domain: "Daybook", id: id))
        return FixIt(message: message, changes: changes)
    }

    private static func replaceText(of token: TokenSyntax, by text: String) -> FixIt.Change {
        replaceNode(token, by: text)
    }

    /// Replaces a node's text and keeps the blanks and comments around it. The new node is one
    /// unparsed token: only its text will be used.
    private static func replaceNode(_ node: some SyntaxProtocol, by text: String) -> FixIt.Change {
        var token = TokenSyntax.unknown(text)
        token.leadingTrivia = node.leadingTrivia
        token.trailingTrivia = node.trailingTrivia
        return .replace(oldNode: Syntax(node), newNode: Syntax(token))
    }
}

extension Trivia {
    fileprivate var hasNewline: Bool {
        pieces.contains { $0.isNewline }
    }

    /// The blanks after the last line break.
    fileprivate var lastLineIndentation: String {
        String(description.reversed().prefix { $0 == " " || $0 == "\t" }.reversed())
    }
}
#endif
