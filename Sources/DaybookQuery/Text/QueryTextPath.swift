import DaybookBytes
import DaybookRecords

/// A path whose names are resolved, split after each step that leads to several objects or values.
struct QueryTextPath {
    /// A part of the path that leads to several objects or values.
    struct Hop {
        enum Kind { case objects, elements, keys }

        var kind: Kind
        /// The path from the previous object.
        var path: PropertyPath
    }

    /// The kind of value at the end.
    enum End {
        /// A property that is not a collection.
        case property(FieldType)
        case id
        /// The object of a to-one relation.
        case one(UInt32)
        /// The objects of a to-many relation; not included in the hops.
        case many(UInt32)
        /// A list, set or map, or the keys of a map, with the type of its elements; not included in
        /// the hops.
        case collection(FieldType, of: FieldType, ofKeys: Bool)
        /// The value for a key of a map.
        case entry(FieldType, key: String)
    }

    var hops: [Hop] = []
    /// The steps after the last hop.
    var steps: [String] = []
    var end: End
    /// The number of steps up to the last relation; 0 if the steps contain none.
    var relationStepCount = 0
    /// The range in the query string.
    var range: Range<Int>

    /// The nesting depth of the condition made from the path.
    var depth: Int { hops.reduce(steps.count) { $0 + $1.path.steps.count } }

    /// The expression relative to the object after the last hop, with its type. A relation has the
    /// id of its object.
    var expression: (QueryExpression, FieldType?) {
        switch end {
        case .property(let type): (.property(PropertyPath(steps)), type)
        case .id: (.property(PropertyPath(steps)), .uint64)
        case .one, .many: (.property(PropertyPath(steps + [PropertyPath.id])), .uint64)
        case .collection(let type, _, _): (.property(PropertyPath(steps)), type)
        case .entry(let type, let key): (.entry(PropertyPath(steps), key: key), type)
        }
    }

    /// Adds a hop for the relation or collection at the end, so that a condition applies to each
    /// object or value.
    mutating func hopToEnd() {
        switch end {
        case .one, .many:
            hops.append(Hop(kind: .objects, path: PropertyPath(steps)))
        case .collection(_, _, let ofKeys):
            hops.append(Hop(kind: ofKeys ? .keys : .elements, path: PropertyPath(steps)))
        case .property, .id, .entry: return
        }
        steps = []
        relationStepCount = 0
    }

    /// Adds a hop for the last to-one relation. Returns false if there is none.
    mutating func hopToLastRelation() -> Bool {
        guard relationStepCount > 0 else { return false }
        hops.append(
            Hop(kind: .objects, path: PropertyPath(Array(steps[..<relationStepCount]))))
        steps.removeFirst(relationStepCount)
        relationStepCount = 0
        return true
    }

    /// The condition that applies `inner` to the end of the path.
    func condition(
        _ quantifier: QueryQuantifier, _ inner: QueryCondition
    ) -> QueryCondition {
        var condition = inner
        for (index, hop) in hops.enumerated().reversed() {
            // `none` applies to the first hop only: no object may have any matching one.
            let each = index > 0 && quantifier == .none ? .any : quantifier
            switch hop.kind {
            case .objects: condition = .linked(hop.path, each, condition)
            case .elements: condition = .elements(hop.path, each, condition)
            case .keys: condition = .keys(hop.path, each, condition)
            }
        }
        return condition
    }
}

extension QueryTextParser {
    /// Reads a path from an object of an entity.
    mutating func path(_ entity: UInt32) throws(DaybookError) -> QueryTextPath {
        var path = QueryTextPath(end: .id, range: token.range)
        var owner = entity
        while true {
            let (name, range) = try step()
            let member = try member(name, of: owner, at: range)
            let hasMore = token.kind == .sign(.point)
            switch member {
            case .id:
                path.steps.append(PropertyPath.id)
                path.end = .id
                try requireEnd(of: name, "an id", at: range)
            case .relation(let relation):
                path.steps.append(name)
                owner = relation.target
                path.end = relation.isToOne ? .one(owner) : .many(owner)
                if !relation.isToOne, hasMore { path.hopToEnd() }
                path.relationStepCount = path.steps.count
            case .property(let property):
                path.steps.append(name)
                if let embedded = property.embeddedEntity, property.shape.type == .embedded {
                    owner = embedded
                    path.end = .property(.embedded)
                } else {
                    try value(property, at: range, &path)
                }
            }
            path.range = path.range.lowerBound..<endOfLast
            guard take(.point) else { break }
        }
        return path
    }

    /// Reads the name of a step; `<-Order.customer` is one step.
    private mutating func step() throws(DaybookError) -> (String, Range<Int>) {
        let start = token.range.lowerBound
        var name = ""
        if token.kind == .sign(.isLess), tokenAfter.kind == .sign(.minus) {
            advance()
            advance()
            guard let source = token.name else {
                throw expected("an entity with its relation, like '<-Order.customer'")
            }
            advance()
            try require(.point, "and the name of the relation")
            name = "<-\(source)."
        }
        guard let last = token.name else { throw expected("the name of a property or relation") }
        advance()
        return (name + last, start..<endOfLast)
    }

    private func member(
        _ name: String, of entity: UInt32, at range: Range<Int>
    ) throws(DaybookError) -> QueryModel.Member {
        guard let owner = model.entities[entity] else {
            throw problem(
                "The entity of \(shown(range)) is not known.", at: range)
        }
        if let member = owner.members[name] { return member }
        let names = owner.members.keys
        throw problem(
            "\(owner.name) has no \(shown(range)). It has: \(Self.list(names))."
                + NearName.question(name, among: names), at: range)
    }

    private func requireEnd(
        of name: String, _ kind: String, at range: Range<Int>
    ) throws(DaybookError) {
        guard token.kind == .sign(.point) else { return }
        throw problem("'\(name)' is \(kind) and has no members; end the path here.", at: range)
    }

    /// Reads the end of a path at a property, including the keys or an entry of a map.
    private mutating func value(
        _ property: QueryProperty, at range: Range<Int>, _ path: inout QueryTextPath
    ) throws(DaybookError) {
        let shape = property.shape
        guard let element = shape.element else {
            path.end = .property(shape.type)
            return try requireEnd(of: property.name, "of type \(shape.description)", at: range)
        }
        path.end = .collection(shape.type, of: element.type, ofKeys: false)
        guard shape.type == .map else {
            return try requireEnd(of: property.name, "of type \(shape.description)", at: range)
        }
        if token.kind == .sign(.openBracket), case .text(let key) = tokenAfter.kind {
            advance()
            advance()
            try require(.closeBracket, "after the key")
            path.end = .entry(element.type, key: key)
        } else if token.kind == .sign(.point) {
            advance()
            let isKeys = token.isWord("keys")
            guard isKeys || token.isWord("values") else {
                throw expected(
                    "'keys' or 'values' of the map '\(property.name)', or a key like"
                        + " \(property.name)[\"a\"]")
            }
            advance()
            if isKeys { path.end = .collection(.map, of: .string, ofKeys: true) }
        }
        try requireEnd(of: property.name, "of type \(shape.description)", at: range)
    }
}
