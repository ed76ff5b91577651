import DaybookBytes

/// Reads the text of a query by descending from what is large to what is small.
///
///     query       = entity [ "where" condition ] { clause }
///     clause      = "order" "by" key { "," key } | "limit" count | "offset" count
///                 | "distinct" [ "by" ] path { "," path } | "select" column { "," column }
///                 | "group" "by" value { "," value } | "having" condition
///     key         = ( value | total | "relevance" ) { direction }
///     direction   = "asc" | "ascending" | "desc" | "descending" | "case" "sensitive"
///                 | "nulls" ( "first" | "last" | "zero" )
///     column      = ( value | total ) [ "as" name ]
///     value       = path | aggregate
///     total       = "count" | ( "count" | "sum" | "min" | "max" | "average" ) "(" value ")"
///
///     condition   = conjunction { ( "or" | "||" ) conjunction }
///     conjunction = negation { ( "and" | "&&" ) negation }
///     negation    = ( "not" | "!" ) negation | "(" condition ")" | "true" | "false" | predicate
///     predicate   = [ quantifier ] path "(" condition ")"
///                 | [ quantifier ] operand [ test ]
///     quantifier  = "any" | "all" | "none"
///     test        = comparison [ options ] operand
///                 | "is" [ "not" ] ( "nil" | "null" )
///                 | [ "not" ] "in" [ options ] ( set | path )
///                 | [ "not" ] "between" literal "and" literal
///                 | [ "not" ] textTest [ options ] operand
///                 | [ "not" ] "matches" text
///                 | [ "not" ] "near" number "within" number
///     comparison  = "==" | "=" | "!=" | "<>" | "<" | "<=" | ">" | ">="
///     textTest    = "hasPrefix" | "startsWith" | "beginsWith" | "hasSuffix" | "endsWith"
///                 | "contains" | "like"
///     options     = "[" ( "c" | "d" | "cd" ) "]"
///     set         = "(" [ literal { "," literal } ] ")" | moment
///                 | literal ( "..." | "..<" ) literal
///     operand     = literal | aggregate | path | "element"
///     aggregate   = ( "count" | "sum" | "min" | "max" | "average" ) "(" path ")"
///     path        = step { "." step } [ "[" text "]" ]
///     step        = name | "<-" name "." name
///     literal     = [ "-" ] number | text | "true" | "false" | "nil" | "null" | moment | bytes
///                 | "uuid" text | "date" text | [ "-" ] "infinity" | "nan"
///
/// Keywords are not case-sensitive, names are. Only `any`, `all`, `none`, `not`, `true`, `false`,
/// `nil` and `null` need backquotes to be names: the others are keywords where no name can stand.
/// `x in tags` and `tags contains x` are the same; `labels["de"]` is the value under a key,
/// `labels.keys` and `labels.values` are what a map consists of. `<-Order.customer` are the orders
/// whose customer is the object.
///
/// A path through a relation to many, or to a collection, is true where it is of any: `all` and
/// `none` say otherwise. In a block, names are those of the object at the other end.
///
/// A total is of all objects that are found, or of those of a group: `sum(size)` is one, and
/// `sum(files.bytes)` is a value of each object. With `group by`, which stands before `select`,
/// `having` and `order by`, these and `limit` are about the groups; conditions behind `having`
/// compare keys and totals with literals.
///
/// Depth is bounded, each step takes a piece of the text or ends, and what is made is linear in the
/// text: no text can hang it or take its memory.
struct QueryTextParser {
    /// Parentheses, blocks, `not`, and relations in paths, one in another.
    static let depthMax = 64

    let source: QueryTextSource
    let model: QueryModel
    private let tokens: [QueryToken]
    private var index = 0
    private var depth = 0

    init(_ text: String, _ model: QueryModel) throws(DaybookError) {
        source = try QueryTextSource(text)
        self.model = model
        tokens = try QueryTokenizer.tokens(of: source)
    }

    /// The piece that comes next.
    var token: QueryToken { tokens[index] }

    /// The one behind it.
    var tokenAfter: QueryToken { tokens[min(index + 1, tokens.count - 1)] }

    /// Where the piece before ended.
    var endOfLast: Int { index > 0 ? tokens[index - 1].range.upperBound : 0 }

    mutating func advance() {
        // The end stays.
        if index < tokens.count - 1 { index += 1 }
    }

    mutating func take(_ sign: QuerySign) -> Bool {
        guard token.kind == .sign(sign) else { return false }
        advance()
        return true
    }

    /// Takes a keyword, which is written in small letters here.
    mutating func take(_ keyword: String) -> Bool {
        guard token.isWord(keyword) else { return false }
        advance()
        return true
    }

    mutating func require(_ sign: QuerySign, _ use: String) throws(DaybookError) {
        guard take(sign) else { throw expected("'\(sign.rawValue)' \(use)") }
    }

    mutating func require(_ keyword: String, _ use: String) throws(DaybookError) {
        guard take(keyword) else { throw expected("'\(keyword)' \(use)") }
    }

    /// Reads something that stands `steps` deeper.
    mutating func deeper<Result>(
        _ steps: Int = 1, _ read: (inout QueryTextParser) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        guard depth + steps <= Self.depthMax else {
            throw problem(
                "The query is nested deeper than \(Self.depthMax); take parentheses and relations"
                    + " away.")
        }
        depth += steps
        defer { depth -= steps }
        return try read(&self)
    }
}
