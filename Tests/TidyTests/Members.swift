extension SourceFile {
    private static let types: Set<Substring> = [
        "struct", "class", "enum", "protocol", "extension", "actor",
    ]

    /// The members of types and the functions of the file, each with the comment above it.
    /// Approximate: while only braces of types are open, a line that completes a declaration ends a
    /// member.
    var members: [ClosedRange<Int>] {
        var members: [ClosedRange<Int>] = []
        var openings: [Bool] = []  // whether each open brace is a type's
        var parentheses = 0
        var start = 0
        var declaration: [Substring] = []
        for (index, line) in code.enumerated() {
            declaration += line.words
            for character in line {
                switch character {
                case "(", "[": parentheses += 1
                case ")", "]": parentheses -= 1
                case "{":
                    openings.append(
                        parentheses == 0 && openings.allSatisfy(\.self)
                            && declaration.contains { Self.types.contains($0) }
                            && !declaration.contains("func"))
                    declaration = []
                case "}": _ = openings.popLast()
                default: break
                }
            }
            let isOutside = parentheses == 0 && openings.allSatisfy(\.self)
            let continues = isComment(index) || line.trimmed.hasPrefix("@") && !line.contains("{")
            if isOutside, !continues {
                members.append(start...index)
                start = index + 1
                declaration = []
            }
        }
        return members
    }
}
