import DaybookBytes
import DaybookRecords

// The whole query.
extension QueryTextParser {
    private static let clauses = [
        "order", "limit", "offset", "distinct", "select", "group", "having",
    ]

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
                throw problem("'\(keyword)' occurs twice; remove one.")
            }
            if keyword == "group", !seen.isDisjoint(with: ["order", "select"]) {
                throw problem("'group by' must come before 'select' and 'order by'; move it there.")
            }
            let range = token.range
            advance()
            try clause(keyword, at: range, of: &query)
        }
        if case .groups(var groups) = query.output {
            groups.definition.offset = query.definition.offset
            groups.definition.limit = query.definition.limit
            query.definition.offset = 0
            query.definition.limit = nil
            groups.showSomething()
            query.output = .groups(groups)
        }
        return query
    }

    /// Reads a clause after its first word.
    private mutating func clause(
        _ keyword: String, at range: Range<Int>, of query: inout TextQuery
    ) throws(DaybookError) {
        let entity = query.entity
        switch keyword {
        case "limit": query.definition.limit = try count("limit")
        case "offset": query.definition.offset = try count("offset")
        case "distinct":
            _ = take("by")
            query.definition.distinct = try list { parser throws(DaybookError) in
                try parser.plainPath(entity)
            }
        case "group":
            try require("by", "after 'group'")
            query.output = .groups(try groups(entity))
        case "order":
            try require("by", "after 'order'")
            if case .groups(var groups) = query.output {
                try order(&groups, entity)
                query.output = .groups(groups)
            } else {
                query.definition.orders = try list { parser throws(DaybookError) in
                    try parser.order(entity)
                }
            }
        case "having":
            guard case .groups(var groups) = query.output else {
                throw problem(
                    "'having' applies to groups; write 'group by' before it, or 'where' for a"
                        + " condition on objects.", at: range)
            }
            groups.definition.having = try having(&groups, entity)
            query.output = .groups(groups)
        default:
            if case .groups(var groups) = query.output {
                try select(&groups, entity)
                query.output = .groups(groups)
            } else {
                query.output = try select(entity)
            }
        }
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
                    ? "'\(name)' has events, not objects; read them with 'replay'."
                    : "'\(name)' has no objects of its own: it is embedded in others.")
        }
        throw problem(
            "There is no entity \(shown(token.range)). There are: \(Self.list(known.map(\.name)))."
                + NearName.question(name, among: known.map(\.name)))
    }

    /// Reads one or more elements, separated by commas.
    mutating func list<Element>(
        _ read: (inout QueryTextParser) throws(DaybookError) -> Element
    ) throws(DaybookError) -> [Element] {
        var elements = [try read(&self)]
        while take(.comma) { elements.append(try read(&self)) }
        return elements
    }

    mutating func count(_ keyword: String) throws(DaybookError) -> Int {
        guard case .number(let digits) = token.kind, let count = Int(digits) else {
            throw expected("an integer after '\(keyword)', like '\(keyword) 10'")
        }
        advance()
        return count
    }
}
