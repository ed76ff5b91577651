import DaybookRecords

/// A string pattern: `*` matches any scalars, `?` matches one, `\` escapes the next scalar.
struct LikePattern: Sendable, Hashable {
    enum Part: Sendable, Hashable {
        case scalar(Unicode.Scalar)
        /// Any single scalar.
        case one
        /// Any number of scalars, including none.
        case any
    }

    /// The maximum length of a pattern in UTF-8.
    static let lengthBytesMax = 65_536

    /// Two `any` parts are never adjacent.
    private(set) var parts: [Part] = []

    init(_ pattern: String) {
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            if isEscaped {
                parts.append(.scalar(scalar))
                isEscaped = false
                continue
            }
            switch scalar {
            case "\\": isEscaped = true
            case "*": if parts.last != .any { parts.append(.any) }
            case "?": parts.append(.one)
            default: parts.append(.scalar(scalar))
            }
        }
        // A trailing backslash matches itself.
        if isEscaped { parts.append(.scalar("\\")) }
    }

    /// The pattern for folded strings.
    func folded(_ options: StringOptions) -> LikePattern {
        guard !options.isEmpty else { return self }
        var folded = self
        folded.parts = []
        var letters = String.UnicodeScalarView()
        for part in parts + [.any] {
            if case .scalar(let scalar) = part {
                letters.append(scalar)
                continue
            }
            folded.parts += options.fold(String(letters)).unicodeScalars.map { .scalar($0) }
            letters = String.UnicodeScalarView()
            if part != .any || folded.parts.last != .any { folded.parts.append(part) }
        }
        if parts.last != .any { folded.parts.removeLast() }
        return folded
    }

    /// The pattern in its syntax.
    var text: String {
        var text = String.UnicodeScalarView()
        for part in parts {
            switch part {
            case .any: text.append("*")
            case .one: text.append("?")
            case .scalar(let scalar):
                if scalar == "*" || scalar == "?" || scalar == "\\" { text.append("\\") }
                text.append(scalar)
            }
        }
        return String(text)
    }

    /// The literal prefix that all matching strings have.
    var literalStart: String {
        Self.text(parts.prefix { $0 != .any && $0 != .one }) ?? ""
    }

    /// The only matching string; nil if there are several.
    var constantText: String? { Self.text(parts[...]) }

    /// An equivalent test without wildcards; nil if there is none.
    var simplerTest: (TextTest, String)? {
        guard let first = parts.first, let last = parts.last else { return nil }
        switch (first == .any, last == .any) {
        case (false, false): return nil
        case (false, true): return Self.text(parts.dropLast()).map { (.hasPrefix, $0) }
        case (true, false): return Self.text(parts.dropFirst()).map { (.hasSuffix, $0) }
        case (true, true):
            if parts.count == 1 { return (.contains, "") }
            return Self.text(parts.dropFirst().dropLast()).map { (.contains, $0) }
        }
    }

    private static func text(_ parts: ArraySlice<Part>) -> String? {
        var text = String.UnicodeScalarView()
        for part in parts {
            guard case .scalar(let scalar) = part else { return nil }
            text.append(scalar)
        }
        return String(text)
    }
}
