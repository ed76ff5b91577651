import DaybookBytes
import DaybookQuery

// Methods that return a modified query.

extension Query {
    /// Returns the query with an additional condition. ``limit(_:)`` and ``offset(_:)`` apply after
    /// all conditions, also if they were set before.
    public func and(_ condition: Condition<E>) -> Query {
        changed { definition throws(DaybookError) in
            let further = try condition.checked()
            // The conditions are added to one list, so that a query with many of them is not deeply
            // nested.
            if case .and(let parts) = definition.condition {
                definition.condition = .and(parts.chain(further))
            } else {
                definition.condition = .and([definition.condition, further])
            }
        }
    }

    /// Returns the query with an additional condition: `query.and { $0.age > 18 }`.
    public func and(_ condition: (E.Type) throws -> Condition<E>) rethrows -> Query {
        and(try condition(E.self))
    }

    /// Returns the query with a maximum number of objects. 0 finds no objects; the query throws
    /// `.invalidArgument` for a negative number.
    public func limit(_ count: Int) -> Query { changed { $0.limit = count } }

    /// Returns the query without its first `count` objects. The query throws `.invalidArgument` for
    /// a negative number.
    public func offset(_ count: Int) -> Query { changed { $0.offset = count } }

    /// Returns the query ordered by a property. Earlier keys take precedence; ties are ordered
    /// by id.
    public func ordered<Value>(
        by property: Property<E, Value>, flags: OrderFlags = []
    ) -> Query {
        changed { definition throws(DaybookError) in
            definition.orders.append(try QueryOrder(property.term, flags))
        }
    }

    /// Returns the query ordered by a property: `ordered(by: \.name)`, `ordered(by:
    /// \.customer.name)`. Earlier keys take precedence; ties are ordered by id.
    public func ordered<Value>(
        by path: KeyPath<E.Type, Property<E, Value>>, flags: OrderFlags = []
    ) -> Query { ordered(by: E.self[keyPath: path], flags: flags) }

    /// Returns the query ordered by several properties, ascending. Each key orders the ties of the
    /// previous ones.
    public func ordered<First, Second, each Value>(
        by first: KeyPath<E.Type, Property<E, First>>,
        _ second: KeyPath<E.Type, Property<E, Second>>,
        _ others: repeat KeyPath<E.Type, Property<E, each Value>>
    ) -> Query {
        var query = ordered(by: E.self[keyPath: first], flags: [])
        query = query.ordered(by: E.self[keyPath: second], flags: [])
        for path in repeat each others {
            query = query.ordered(by: E.self[keyPath: path], flags: [])
        }
        return query
    }

    /// Returns the query with only the first of all objects that have equal values of these
    /// properties. Nil equals nil; strings are compared exactly.
    public func distinct<each Value>(
        by paths: repeat KeyPath<E.Type, Property<E, each Value>>
    ) -> Query { distinct(by: repeat E.self[keyPath: each paths]) }

    /// Returns the query with only the first of all objects that have equal values of these
    /// properties. Nil equals nil; strings are compared exactly.
    public func distinct<each Value>(by properties: repeat Property<E, each Value>) -> Query {
        var query = self
        for property in repeat each properties {
            query = query.changed { definition throws(DaybookError) in
                definition.distinct.append(try property.term.single("distinct"))
            }
        }
        return query
    }

    /// Returns the query with relations whose objects are loaded together with the result, in one
    /// pass for each relation.
    public func including(_ paths: (any PartialKeyPath<E> & Sendable)...) -> Query {
        including(paths: paths.map { IncludedPath($0) })
    }

    /// Returns the query with a relation whose objects are loaded together with the result, and
    /// with relations of these objects.
    public func including<Relation: ObjectRelation>(
        _ path: any KeyPath<E, Relation> & Sendable,
        then next: (any PartialKeyPath<Relation.Target> & Sendable)...
    ) -> Query {
        including(paths: [IncludedPath(path, then: next.map { IncludedPath($0) })])
    }
}

extension QueryOrder {
    /// Throws `.invalidArgument` for a property of a to-many relation's objects, because an object
    /// has several values of it.
    init(_ term: PropertyTerm, _ flags: OrderFlags) throws(DaybookError) {
        self.init(.expression(try term.only("An order")))
        isDescending = flags.contains(.descending)
        isCaseSensitive = flags.contains(.caseSensitive)
        areNullsLast = flags.contains(.nullsLast)
        areNullsZero = flags.contains(.nullsZero)
    }
}

extension PropertyTerm {
    /// The expression. Throws `.invalidArgument` if an object has several values of it.
    func only(_ use: String) throws(DaybookError) -> QueryExpression {
        if let failure { throw failure }
        if let relation = enclosing.first {
            throw DaybookError(
                .invalidArgument,
                "\(use) requires one value per object, and '\(relation)' leads to many. Use their"
                    + " max, min, sum, average or count.",
                details: ["property": "\(relation)"])
        }
        return value
    }

    /// The path of the property. Throws `.invalidArgument` if an object has several values of it,
    /// and for any other expression.
    func single(_ use: String) throws(DaybookError) -> PropertyPath {
        let value = try only(use)
        guard case .property(let path) = value else {
            throw DaybookError(
                .invalidArgument,
                "\(use) requires a property, not a count, a sum or an entry of a"
                    + " map.")
        }
        return path
    }
}
