/// A function with a body.
struct Function {
    var name: String
    /// The indexes of its first and last line.
    var lines: ClosedRange<Int>
}

extension SourceFile {
    private static let modifiers: Set<Substring> = [
        "public", "package", "internal", "fileprivate", "private", "static", "class", "final",
        "override", "mutating", "nonmutating", "consuming", "borrowing", "convenience", "required",
        "nonisolated", "nonsending", "isolated", "prefix", "postfix", "infix", "inlinable",
        "inline", "always",
        "never", "discardableResult", "usableFromInline", "Test", "Sendable", "unsafe",
    ]

    /// All functions and initializers with a body. Finds them by their first line, that is
    /// modifiers, then `func`, `init`, `deinit` or `subscript`; then matches braces.
    var functions: [Function] {
        code.indices.compactMap { index in
            guard let name = functionName(index), let end = bodyEnd(from: index) else { return nil }
            return Function(name: name, lines: index...end)
        }
    }

    private func functionName(_ index: Int) -> String? {
        let line = code[index].trimmed
        guard let place = line.words.firstIndex(where: { !Self.modifiers.contains($0) }) else {
            return nil
        }
        let words = line.words
        switch words[place] {
        case "func": return place + 1 < words.count ? String(words[place + 1]) : "operator"
        case "init", "deinit", "subscript":
            let following = line[words[place].endIndex...].first
            let isDeclared =
                following == "(" || following == "?" || following == "<" || following == " "
            let begins = words[..<place].allSatisfy { Self.modifiers.contains($0) }
            let isCall = line[..<words[place].startIndex].contains(".")
            return isDeclared && begins && !isCall ? String(words[place]) : nil
        default: return nil
        }
    }

    /// Returns the line of the brace that ends the body of the declaration at `start`; nil without
    /// a body.
    private func bodyEnd(from start: Int) -> Int? {
        var parentheses = 0
        var braces = 0
        for index in start..<code.count {
            if index > start, braces == 0, parentheses == 0, beginsDeclaration(code[index]) {
                return nil
            }
            for character in code[index] {
                switch character {
                case "(", "[": parentheses += 1
                case ")", "]": parentheses -= 1
                case "{" where parentheses == 0 || braces > 0: braces += 1
                case "}" where braces == 1 && parentheses == 0: return index
                case "}" where braces > 0: braces -= 1
                case "}" where parentheses == 0: return nil
                default: break
                }
            }
        }
        return nil
    }

    private func beginsDeclaration(_ line: String) -> Bool {
        guard let first = line.trimmed.words.first(where: { !Self.modifiers.contains($0) }) else {
            return line.trimmed.isEmpty
        }
        return ["func", "var", "let", "init", "deinit", "subscript", "associatedtype", "case"]
            .contains(first) && line.trimmed.first != "-" && line.trimmed.first != ")"
    }
}
