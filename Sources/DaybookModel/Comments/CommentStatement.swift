#if Macros
internal import SwiftSyntax

/// The tokens after one `objectbox:`, which may span several lines.
struct CommentStatement {
    /// The token of the comment.
    let node: TokenSyntax
    private(set) var tokens: [CommentToken]
    /// From the start of the first line to the end of the last token, in bytes of the file.
    private(set) var range: Range<Int>
    private var depth = 0

    private init(_ tokens: [CommentToken], in line: CommentLine) {
        node = line.node
        self.tokens = []
        range = line.start..<line.start
        append(tokens)
    }

    /// Whether the next line continues the statement: a bracket is open, or the line ends with a
    /// comma or an equals sign.
    private var isOpen: Bool {
        depth > 0 || tokens.last?.isMark(",") == true || tokens.last?.isMark("=") == true
    }

    private mutating func append(_ more: [CommentToken]) {
        for token in more where token.kind == .mark {
            if ["{", "["].contains(token.text) { depth += 1 }
            if ["}", "]"].contains(token.text) { depth = max(0, depth - 1) }
        }
        tokens += more
        if let last = more.last { range = range.lowerBound..<last.range.upperBound }
    }

    /// The statements in the lines. A line with `objectbox:` starts a statement, and the lines
    /// directly below continue it while it is incomplete.
    static func all(in lines: [CommentLine]) -> [CommentStatement] {
        var statements: [CommentStatement] = []
        var continues = false
        for line in lines {
            if let tokens = line.annotationTokens {
                statements.append(CommentStatement(tokens, in: line))
                continues = true
            } else if continues, line.isConsecutive {
                let tokens = line.tokens
                let begins = ["=", ",", "{"].contains { tokens.first?.isMark($0) == true }
                let last = statements.count - 1
                continues = begins || statements[last].isOpen
                if continues { statements[last].append(tokens) }
            } else {
                continues = false
            }
        }
        return statements
    }
}

// MARK: Positions of comments

extension CommentStatement {
    /// The statements of a type: before and between its words, and at the end of the line with its
    /// opening brace. A block comment after the brace belongs to the first member.
    static func all(atHeadOf group: any DeclGroupSyntax) -> [CommentStatement] {
        let brace = group.memberBlock.leftBrace
        var found: [CommentStatement] = []
        for token in group.tokens(viewMode: .sourceAccurate) {
            found += all(in: CommentLine.leading(token))
            if token.id == brace.id { break }
            found += all(in: CommentLine.trailing(token))
        }
        return found + all(in: CommentLine.trailing(brace, where: \.isLineComment))
    }

    /// The statements of a property: before and between its words, and after it. Comments inside
    /// its value or its observers are excluded.
    static func all(at declaration: VariableDeclSyntax) -> [CommentStatement] {
        let inner = declaration.bindings.flatMap { binding in
            [binding.initializer.map { $0.value.range }, binding.accessorBlock?.range]
                .compactMap(\.self)
        }
        var lines: [[CommentLine]] = []
        if let before = declaration.firstToken(viewMode: .sourceAccurate)?.divider {
            lines.append(CommentLine.trailing(before, where: \.isBlockComment))
        }
        let last = declaration.lastToken(viewMode: .sourceAccurate)
        for token in declaration.tokens(viewMode: .sourceAccurate) {
            let isInner = inner.contains { $0.contains(token.position) }
            if !isInner { lines.append(CommentLine.leading(token)) }
            if !isInner || token.id == last?.id { lines.append(CommentLine.trailing(token)) }
        }
        if let after = last?.nextToken(viewMode: .sourceAccurate), after.tokenKind == .semicolon {
            lines.append(CommentLine.trailing(after, where: \.isLineComment))
        }
        return lines.flatMap { all(in: $0) }
    }

    /// The statements in a type's braces without a variable: before functions and other members
    /// without storage, and before the closing brace.
    static func all(withoutVariableIn group: any DeclGroupSyntax) -> [CommentStatement] {
        var tokens = group.memberBlock.members.compactMap { member in
            member.decl.holdsMembers || member.decl.is(VariableDeclSyntax.self)
                ? nil : member.decl.firstToken(viewMode: .sourceAccurate)
        }
        tokens.append(group.memberBlock.rightBrace)
        return tokens.flatMap { all(in: CommentLine.leading($0)) }
    }
}

extension DeclSyntax {
    /// Whether it is a type or a condition, whose comments are read separately.
    fileprivate var holdsMembers: Bool {
        asProtocol((any DeclGroupSyntax).self) != nil || self.is(IfConfigDeclSyntax.self)
    }
}

extension TokenSyntax {
    /// The semicolon or opening brace directly before the token.
    fileprivate var divider: TokenSyntax? {
        guard let token = previousToken(viewMode: .sourceAccurate) else { return nil }
        return [.semicolon, .leftBrace].contains(token.tokenKind) ? token : nil
    }
}
#endif
