#if Macros
internal import SwiftDiagnostics
internal import SwiftSyntax

/// The fix-its of an editor. Each is the smallest possible edit, so that several can be applied to
/// one declaration.
enum EntityFixIt {
    /// Changes the modifier `private` to `fileprivate`.
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

    /// Changes the type of an id property to `Id`, and its default to 0 if the old one cannot be an
    /// id.
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

    /// Changes a `let` to a `var`.
    static func makeVariable(_ declaration: VariableDeclSyntax) -> FixIt {
        let change = replaceText(of: declaration.bindingSpecifier, by: "var")
        return fixIt("makeVariable", "change 'let' to 'var'", [change])
    }

    /// Inserts `init()` as the last member.
    static func addEmptyInitializer(to type: TypeDeclaration) -> FixIt {
        var words: [String] = []
        if type.modifiers.contains(where: { ["public", "open"].contains($0.name.text) }) {
            words.append("public")
        }
        if type.inheritsFromNSObject { words.append("override") }
        let text = (words + ["init() {}"]).joined(separator: " ")
        let brace = type.memberBlock.rightBrace
        let change: FixIt.Change
        if brace.leadingTrivia.hasNewline {
            let outer = brace.leadingTrivia.lastLineIndentation
            let lead = type.memberBlock.members.first?.leadingTrivia
            let inner = lead?.hasNewline == true ? lead?.lastLineIndentation : nil
            let indentation = (inner ?? outer + "    ").dropFirst(outer.count)
            change = replaceText(of: brace, by: "\(indentation)\(text)\n\(outer)}")
        } else if let last = type.memberBlock.members.last?.lastToken(viewMode: .sourceAccurate) {
            change = replaceText(of: last, by: "\(last.text); \(text)")
        } else {
            change = replaceText(of: brace, by: " \(text) }")
        }
        return fixIt("addEmptyInitializer", "insert '\(text)'", [change])
    }

    private struct Message: FixItMessage {
        let message: String
        let fixItID: MessageID
    }

    static func fixIt(_ id: String, _ text: String, _ changes: [FixIt.Change]) -> FixIt {
        let message = Message(message: text, fixItID: MessageID(domain: "Daybook", id: id))
        return FixIt(message: message, changes: changes)
    }

    static func replaceText(of token: TokenSyntax, by text: String) -> FixIt.Change {
        replaceNode(token, by: text)
    }

    /// Replaces a node's text and keeps the white space and comments around it. The new node is one
    /// unparsed token: only its text is used.
    static func replaceNode(_ node: some SyntaxProtocol, by text: String) -> FixIt.Change {
        var token = TokenSyntax.unknown(text)
        token.leadingTrivia = node.leadingTrivia
        token.trailingTrivia = node.trailingTrivia
        return .replace(oldNode: Syntax(node), newNode: Syntax(token))
    }
}

extension Trivia {
    var hasNewline: Bool {
        pieces.contains { $0.isNewline }
    }

    /// The white space after the last line break.
    fileprivate var lastLineIndentation: String {
        String(description.reversed().prefix { $0 == " " || $0 == "\t" }.reversed())
    }
}
#endif
