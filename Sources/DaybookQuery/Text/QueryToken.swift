/// A token of a query: a word, a literal or a sign.
struct QueryToken: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// A name or a keyword, depending on the context.
        case word(String)
        /// A name in backquotes, which is never a keyword.
        case quotedName(String)
        /// The digits, without underscores.
        case number(String)
        case text(String)
        case bytes([UInt8])
        /// The range of time that a date denotes, in nanoseconds since 1970.
        case moment(ClosedRange<Int128>)
        case sign(QuerySign)
        case end
    }

    var kind: Kind
    /// The range in the query string, in Unicode scalars.
    var range: Range<Int>
}

extension QueryToken {
    /// Whether the token is this word, ignoring case. The word must be given in lowercase.
    func isWord(_ keyword: String) -> Bool {
        guard case .word(let word) = kind else { return false }
        return word.utf8.count == keyword.utf8.count && word.lowercased() == keyword
    }

    /// The name, if the token can be one.
    var name: String? {
        switch kind {
        case .word(let name), .quotedName(let name): name
        default: nil
        }
    }
}

/// Operators and punctuation.
enum QuerySign: String, Sendable, Hashable, CaseIterable {
    // If one is a prefix of another, the longer one must come first.
    case rangeThrough = "..."
    case rangeUpTo = "..<"
    case isEqual = "=="
    case isNotEqual = "!="
    case isOther = "<>"
    case isLessOrEqual = "<="
    case isGreaterOrEqual = ">="
    case both = "&&"
    case either = "||"
    case assign = "="
    case isLess = "<"
    case isGreater = ">"
    case no = "!"
    case open = "("
    case close = ")"
    case openBracket = "["
    case closeBracket = "]"
    case comma = ","
    case point = "."
    case minus = "-"

    var comparison: QueryComparison? {
        switch self {
        case .isEqual, .assign: .equal
        case .isNotEqual, .isOther: .notEqual
        case .isLess: .less
        case .isLessOrEqual: .lessOrEqual
        case .isGreater: .greater
        case .isGreaterOrEqual: .greaterOrEqual
        default: nil
        }
    }
}
