import DaybookBytes
import DaybookRecords

/// The context in which names are resolved.
enum QueryTextScope {
    case object(UInt32)
    /// A value of a collection.
    case element(FieldType)
}

/// One side of a comparison.
struct QueryTextOperand {
    enum Content {
        case literal(QueryTextLiteral)
        case path(QueryTextPath)
        /// A computed value and its type.
        case expression(QueryExpression, FieldType?)
    }

    var content: Content
    /// The range in the query string.
    var range: Range<Int>

    var isLiteral: Bool {
        if case .literal = content { true } else { false }
    }
}

extension QueryTextParser {
    private static let aggregates: [String: QueryAggregate] = [
        "count": .count, "sum": .sum, "min": .minimum, "minimum": .minimum, "max": .maximum,
        "maximum": .maximum, "average": .average, "avg": .average,
    ]

    mutating func operand(_ scope: QueryTextScope) throws(DaybookError) -> QueryTextOperand {
        let start = token.range.lowerBound
        let content: QueryTextOperand.Content
        if let literal = try literal(scope) {
            content = .literal(literal)
        } else {
            switch scope {
            case .object(let entity):
                if let aggregate = nextAggregate {
                    let (expression, type) = try self.aggregate(aggregate, entity)
                    content = .expression(expression, type)
                } else {
                    guard beginsPath else { throw expectedOperand }
                    content = .path(try path(entity))
                }
            case .element(let type):
                guard take("element") else {
                    throw expected("'element', which denotes each value, or a literal")
                }
                content = .expression(.element, type)
            }
        }
        return QueryTextOperand(content: content, range: start..<endOfLast)
    }

    private var expectedOperand: DaybookError {
        expected("a property, or a literal like 5, \"text\" or @2026-01-31")
    }

    /// Whether the next token begins a path.
    var beginsPath: Bool {
        switch token.kind {
        case .word(let word): !Self.reserved.contains(word.lowercased())
        case .quotedName: true
        case .sign(.isLess): tokenAfter.kind == .sign(.minus)
        default: false
        }
    }

    /// Words that are names only in backquotes.
    static let reserved: Set<String> = [
        "any", "all", "none", "not", "true", "false", "nil", "null",
    ]

    /// The aggregate whose name and parenthesis come next.
    var nextAggregate: QueryAggregate? {
        guard case .word(let word) = token.kind, tokenAfter.kind == .sign(.open) else { return nil }
        return Self.aggregates[word.lowercased()]
    }

    private mutating func aggregate(
        _ aggregate: QueryAggregate, _ entity: UInt32
    ) throws(DaybookError) -> (QueryExpression, FieldType?) {
        let name = shown(token.range)
        advance()
        advance()
        let path = try self.path(entity)
        try require(.close, "after the operand of \(name)")
        let place = path.range
        guard path.hops.count <= 1 else {
            throw problem(
                "\(name) goes through one to-many relation, and not through several.", at: place)
        }
        switch path.end {
        case .many, .one:
            guard aggregate == .count else {
                throw problem(
                    "Name the property for \(name), like sum(items.price).", at: place)
            }
            guard path.hops.isEmpty else {
                throw problem(
                    "\(name) goes through one relation, and not through several.", at: place)
            }
            return (.aggregate(.count, PropertyPath(path.steps), of: nil), .uint64)
        case .collection(_, let element, let ofKeys):
            guard path.hops.isEmpty, !ofKeys else {
                throw problem(
                    "\(name) applies to the values or objects of a single object; use a shorter"
                        + " path.", at: place)
            }
            let expression = QueryExpression.aggregate(
                aggregate, PropertyPath(path.steps), of: nil)
            return (expression, Self.type(of: aggregate, element))
        case .property(let type), .entry(let type, _):
            return try self.aggregate(aggregate, path, type, name)
        case .id: return try self.aggregate(aggregate, path, .uint64, name)
        }
    }

    private func aggregate(
        _ aggregate: QueryAggregate, _ path: QueryTextPath, _ type: FieldType, _ name: String
    ) throws(DaybookError) -> (QueryExpression, FieldType?) {
        guard let hop = path.hops.first, case .property(let inner) = path.expression.0 else {
            throw problem(
                "\(name) applies to a collection or to the objects of a to-many relation, like"
                    + " sum(items.price), and this is a single value.", at: path.range)
        }
        return (.aggregate(aggregate, hop.path, of: inner), Self.type(of: aggregate, type))
    }

    static func type(of aggregate: QueryAggregate, _ type: FieldType) -> FieldType {
        switch aggregate {
        case .count: .uint64
        case .average: .double
        case .minimum, .maximum: type
        // The sum of `Float` values is not rounded to `Float`.
        case .sum: type == .float ? .double : type
        }
    }

    /// Reads a path or an aggregate with a single value. Returns it with its type.
    mutating func plainExpression(
        _ entity: UInt32
    ) throws(DaybookError) -> (QueryExpression, FieldType?) {
        let start = token.range.lowerBound
        let found: (QueryExpression, FieldType?)
        if let aggregate = nextAggregate {
            found = try self.aggregate(aggregate, entity)
        } else {
            guard beginsPath else { throw expected("the name of a property") }
            found = try single(try path(entity))
        }
        do {
            _ = try ConditionResolver(model).resolve(found.0, of: entity)
        } catch {
            throw problem(error.message, at: start..<endOfLast)
        }
        return found
    }

    /// Reads a path with a single value.
    mutating func plainPath(_ entity: UInt32) throws(DaybookError) -> PropertyPath {
        guard beginsPath else { throw expected("the name of a property") }
        let path = try path(entity)
        guard case .property(let steps) = try single(path).0 else {
            throw problem("Name a property here instead of a value of a map.", at: path.range)
        }
        return steps
    }

    /// The expression of a path with a single value, which may be a collection. Throws
    /// `.invalidArgument` for other paths.
    func single(_ path: QueryTextPath) throws(DaybookError) -> (QueryExpression, FieldType?) {
        if case .collection(_, _, ofKeys: true) = path.end {
            throw problem("The keys of a map are not a single value.", at: path.range)
        }
        var isMany = !path.hops.isEmpty
        if case .many = path.end { isMany = true }
        guard !isMany else {
            throw problem(
                "\(shown(path.range)) leads to many objects, and a single value is needed; write"
                    + " count(…), min(…) or max(…) around it.", at: path.range)
        }
        return path.expression
    }
}
