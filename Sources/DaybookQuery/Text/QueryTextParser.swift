import DaybookBytes
import DaybookIndex

/// Reads the text of a query by descending from what is large to what is small.
///
///     query       = entity [ "where" condition ] { clause }
///     clause      = "order" "by" key { "," key } | "limit" count | "offset" count
///                 | "distinct" [ "by" ] path { "," path } | "select" column { "," column }
///     key         = ( path | aggregate | "relevance" ) { direction }
///     direction   = "asc" | "ascending" | "desc" | "descending" | "case" "sensitive"
///                 | "nulls" ( "first" | "last" | "zero" )
///     column      = ( path | aggregate ) [ "as" name ]
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
///     set         = "(" [ literal { "," literal } ] ")" | literal ( "..." | "..<" ) literal | moment
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

// What is wrong.
extension QueryTextParser {
    func problem(_ message: String, at range: Range<Int>? = nil) -> DaybookError {
        source.problem(message, at: range ?? token.range)
    }

    /// The error where something else should stand. `keywords` are those that may.
    func expected(_ what: String, keywords: [String] = []) -> DaybookError {
        var message = "Expected \(what), but "
        if token.kind == .end {
            message += "the query ends"
        } else {
            message += "found \(shown(token.range))"
        }
        message += "."
        if case .word(let word) = token.kind {
            message += NearName.question(word, among: keywords)
        }
        return problem(message)
    }

    /// A part of the text, quoted, at a length that fits a message.
    func shown(_ range: Range<Int>) -> String {
        let part = source.scalars[range]
        return "'\(QueryTextSource.shown(part.prefix(40)))\(part.count > 40 ? "…" : "")'"
    }

    /// Names for a message, as they are written: all that there are, or some. Those that lead
    /// back stand last.
    static func list(_ names: some Collection<String>) -> String {
        guard !names.isEmpty else { return "none" }
        let sorted =
            names.filter { !$0.hasPrefix("<") }.map(written).sorted()
            + names.filter { $0.hasPrefix("<") }.sorted()
        let shown = sorted.prefix(20).joined(separator: ", ")
        return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
    }

    /// A name as a query has it: in backquotes where it would be something else without.
    static func written(_ name: String) -> String {
        let scalars = name.unicodeScalars
        let isPlain =
            scalars.first?.beginsName == true && scalars.allSatisfy(\.continuesName)
            && !reserved.contains(name.lowercased())
        guard !isPlain else { return name }
        let parts = name.split(separator: "`", omittingEmptySubsequences: false)
        return "`\(parts.joined(separator: "``"))`"
    }
}

// The query as a whole.
extension QueryTextParser {
    private static let clauses = ["order", "limit", "offset", "distinct", "select"]

    mutating func query() throws(DaybookError) -> TextQuery {
        var query = try entity()
        var seen: Set<String> = []
        if take("where") {
            query.definition.condition = try condition(.object(query.entity))
            seen.insert("where")
        }
        while token.kind != .end {
            guard case .word(let word) = token.kind, Self.clauses.contains(word.lowercased()) else {
                throw expectedClause(afterCondition: seen == ["where"], isFirst: seen.isEmpty)
            }
            let keyword = word.lowercased()
            guard seen.insert(keyword).inserted else {
                throw problem("'\(keyword)' stands here twice; leave one out.")
            }
            advance()
            switch keyword {
            case "order":
                try require("by", "behind 'order'")
                query.definition.orders = try list { parser throws(DaybookError) in
                    try parser.order(query.entity)
                }
            case "limit": query.definition.limit = try count("limit")
            case "offset": query.definition.offset = try count("offset")
            case "distinct":
                _ = take("by")
                query.definition.distinct = try list { parser throws(DaybookError) in
                    try parser.plainPath(query.entity)
                }
            default:
                query.output = .columns(
                    try list { parser throws(DaybookError) in try parser.column(query.entity) })
            }
        }
        return query
    }

    private func expectedClause(afterCondition: Bool, isFirst: Bool) -> DaybookError {
        let words = Self.clauses.map { "'\($0)'" }.joined(separator: ", ")
        let before = afterCondition ? "'and', 'or', " : isFirst ? "'where', " : ""
        return expected(
            before + words + " or the end",
            keywords: Self.clauses + (afterCondition ? ["and", "or"] : isFirst ? ["where"] : []))
    }

    private mutating func entity() throws(DaybookError) -> TextQuery {
        let known = model.entities.values.filter { $0.kind == .object }
        guard let name = token.name else {
            throw expected(
                "the name of an entity (the store has: \(Self.list(known.map(\.name))))")
        }
        if let entity = known.first(where: { $0.name == name }) {
            advance()
            return TextQuery(entityName: name, entity: entity.entity)
        }
        if let other = model.entities.values.first(where: { $0.name == name }) {
            throw problem(
                other.kind == .event
                    ? "'\(name)' has events, not objects; see them with 'replay'."
                    : "'\(name)' has no objects of its own: it is a part of others.")
        }
        throw problem(
            "There is no entity \(shown(token.range)). There are: \(Self.list(known.map(\.name)))."
                + NearName.question(name, among: known.map(\.name)))
    }

    /// One or more, with commas between.
    mutating func list<Element>(
        _ read: (inout QueryTextParser) throws(DaybookError) -> Element
    ) throws(DaybookError) -> [Element] {
        var elements = [try read(&self)]
        while take(.comma) { elements.append(try read(&self)) }
        return elements
    }

    private mutating func count(_ keyword: String) throws(DaybookError) -> Int {
        guard case .number(let digits) = token.kind, let count = Int(digits) else {
            throw expected("a whole number behind '\(keyword)', like '\(keyword) 10'")
        }
        advance()
        return count
    }

    private mutating func order(_ entity: UInt32) throws(DaybookError) -> QueryOrder {
        var order: QueryOrder
        if token.isWord("relevance"), model.entities[entity]?.members["relevance"] == nil {
            advance()
            order = QueryOrder(.relevance)
        } else {
            order = QueryOrder(.expression(try plainExpression(entity).0))
        }
        while case .word(let word) = token.kind {
            switch word.lowercased() {
            case "asc", "ascending": order.isDescending = false
            case "desc", "descending": order.isDescending = true
            case "case":
                advance()
                guard token.isWord("sensitive") else { throw expected("'sensitive'") }
                order.isCaseSensitive = true
            case "nulls":
                advance()
                guard ["first", "last", "zero"].contains(where: token.isWord) else {
                    throw expected("'first', 'last' or 'zero' behind 'nulls'")
                }
                order.areNullsLast = token.isWord("last")
                order.areNullsZero = token.isWord("zero")
            default: return order
            }
            advance()
        }
        return order
    }

    private mutating func column(_ entity: UInt32) throws(DaybookError) -> TextQuery.Column {
        let start = token.range.lowerBound
        let (expression, type) = try plainExpression(entity)
        var name = QueryTextSource.shown(source.scalars[start..<endOfLast])
        if take("as") {
            guard let given = token.name else { throw expected("a name behind 'as'") }
            advance()
            name = given
        }
        return TextQuery.Column(name: name, expression: expression, type: type)
    }
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
