import DaybookBytes

/// A recursive descent parser for queries.
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
///                 | [ "not" ] "matches" [ "all" | "any" | "phrase" ] text
///                 | [ "not" ] "near" number "within" number
///                 | "nearest" count "to" "(" number { "," number } ")"
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
/// Keywords are not case-sensitive; names are. Only `any`, `all`, `none`, `not`, `true`, `false`,
/// `nil` and `null` need backquotes to be names: the others are keywords only where no name can
/// occur. `x in tags` and `tags contains x` are equivalent; `labels["de"]` is the value for a key,
/// `labels.keys` and `labels.values` are the keys and the values of a map. `<-Order.customer` is
/// the inverse relation: the orders whose customer is the object.
///
/// A condition on a path through a to-many relation or a collection is true if it is true for any
/// object or value, unless `all` or `none` is given. In a block, names are those of the object at
/// the other end.
///
/// An argument of the caller replaces each `?` before the query is parsed; it is always a literal.
///
/// A total is an aggregate over all objects found, or over those of a group: `sum(size)` is a
/// total, and `sum(files.bytes)` is a value of each object. `group by` must precede `select`,
/// `having` and `order by`; these and `limit` then apply to the groups. Conditions after `having`
/// compare keys and totals with literals.
///
/// The nesting depth is bounded, each step consumes a token or ends, and the result is linear in
/// the length of the query. So no query can exhaust time or memory.
struct QueryTextParser {
    /// The maximum depth of nested parentheses, blocks, `not`, and relations in paths.
    static let depthMax = 64

    let source: QueryTextSource
    let model: QueryModel
    private let tokens: [QueryToken]
    private var index = 0
    private var depth = 0

    init(
        _ text: String, _ model: QueryModel, _ arguments: [QueryValue]
    ) throws(DaybookError) {
        source = try QueryTextSource(text)
        self.model = model
        tokens = try QueryTokenizer.tokens(of: source, arguments)
    }

    /// The next token.
    var token: QueryToken { tokens[index] }

    /// The token after the next one.
    var tokenAfter: QueryToken { tokens[min(index + 1, tokens.count - 1)] }

    /// The end of the previous token.
    var endOfLast: Int { index > 0 ? tokens[index - 1].range.upperBound : 0 }

    mutating func advance() {
        // The end token is never consumed.
        if index < tokens.count - 1 { index += 1 }
    }

    mutating func take(_ sign: QuerySign) -> Bool {
        guard token.kind == .sign(sign) else { return false }
        advance()
        return true
    }

    /// Consumes a keyword, which must be given in lowercase.
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

    /// Reads a part of the query that is nested `steps` deeper.
    mutating func deeper<Result>(
        _ steps: Int = 1, _ read: (inout QueryTextParser) throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result {
        guard depth + steps <= Self.depthMax else {
            throw problem(
                "The query is nested deeper than \(Self.depthMax); use fewer parentheses and"
                    + " relations.")
        }
        depth += steps
        defer { depth -= steps }
        return try read(&self)
    }
}
