/// A piece of a query's text: a word, a literal or a sign.
struct QueryToken: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// A name or a keyword: where it stands decides.
        case word(String)
        /// A name in backquotes, which is never a keyword.
        case quotedName(String)
        /// The digits, without the underscores among them.
        case number(String)
        case text(String)
        case bytes([UInt8])
        /// A date, in nanoseconds since 1970: all that it leaves open.
        case moment(ClosedRange<Int128>)
        case sign(QuerySign)
        case end
    }

    var kind: Kind
    /// Where it stands in the text, in scalars.
    var range: Range<Int>
}

extension QueryToken {
    /// Whether it is this word, which is written in small letters.
    func isWord(_ keyword: String) -> Bool {
        guard case .word(let word) = kind else { return false }
        return word.utf8.count == keyword.utf8.count && word.lowercased() == keyword
    }

    /// The name that it may be.
    var name: String? {
        switch kind {
        case .word(let name), .quotedName(let name): name
        default: nil
        }
    }
}

/// What is neither word nor literal.
enum QuerySign: String, Sendable, Hashable, CaseIterable {
    // Where one is the beginning of another, the longer one stands first.
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
