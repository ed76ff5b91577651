import DaybookBytes
import DaybookQuery

// What makes another query of one.

extension Query {
    /// The same with a further condition.
    public func and(_ condition: Condition<E>) -> Query {
        changed { definition throws(DaybookError) in
            let further = try condition.checked()
            // Side by side: a query that a loop narrows is no deep one.
            if case .and(let parts) = definition.condition {
                definition.condition = .and(parts.chain(further))
            } else {
                definition.condition = .and([definition.condition, further])
            }
        }
    }

    /// The same with a further condition.
    public func and(_ condition: (E.Type) -> Condition<E>) -> Query { and(condition(E.self)) }

    /// The same with a further condition. The number that it takes is still counted last.
    public func filter(_ condition: (E.Type) -> Condition<E>) -> Query { and(condition(E.self)) }

    /// At most so many objects; none with 0. A negative number is an error.
    public func limit(_ count: Int) -> Query { changed { $0.limit = count } }

    /// Without the first so many objects. A negative number is an error.
    public func offset(_ count: Int) -> Query { changed { $0.offset = count } }

    /// In the order of a property, behind the orders that were named before. Ties are in the order
    /// of ids.
    public func sorted<Value>(
        by property: Property<E, Value>, flags: OrderFlags = []
    ) -> Query {
        changed { definition throws(DaybookError) in
            definition.orders.append(try QueryOrder(property.term, flags))
        }
    }

    /// In the order of a property: `sorted(by: \.name)`, `sorted(by: \.customer.name)`. Further
    /// orders come behind those that were named before; ties are in the order of ids.
    public func sorted<Value>(
        by path: KeyPath<E.Type, Property<E, Value>>, flags: OrderFlags = []
    ) -> Query { sorted(by: E.self[keyPath: path], flags: flags) }

    /// In the order of a property, ascending or descending.
    public func sorted<Value>(
        by path: KeyPath<E.Type, Property<E, Value>>, ascending: Bool
    ) -> Query { sorted(by: E.self[keyPath: path], flags: ascending ? [] : .descending) }

    /// In the order of several properties, the first of which decides.
    public func sorted<First, Second, each Value>(
        by first: KeyPath<E.Type, Property<E, First>>,
        _ second: KeyPath<E.Type, Property<E, Second>>,
        _ others: repeat KeyPath<E.Type, Property<E, each Value>>
    ) -> Query {
        var query = sorted(by: E.self[keyPath: first], flags: [])
        query = query.sorted(by: E.self[keyPath: second], flags: [])
        for path in repeat each others {
            query = query.sorted(by: E.self[keyPath: path], flags: [])
        }
        return query
    }

    /// Of the objects that agree in all of these properties, the first alone. Nil agrees with nil;
    /// texts have to agree in each letter.
    public func distinct<each Value>(
        by paths: repeat KeyPath<E.Type, Property<E, each Value>>
    ) -> Query { distinct(by: repeat E.self[keyPath: each paths]) }

    /// Of the objects that agree in all of these properties, the first alone.
    public func distinct<each Value>(by properties: repeat Property<E, each Value>) -> Query {
        var query = self
        for property in repeat each properties {
            query = query.changed { definition throws(DaybookError) in
                definition.distinct.append(try property.term.single("distinct"))
            }
        }
        return query
    }

    /// The objects with those of these relations read along.
    public func including(_ paths: (any PartialKeyPath<E> & Sendable)...) -> Query {
        including(paths: paths.map { IncludedPath($0) })
    }

    /// The objects with those of a relation read along, and those that these relate to.
    public func including<Relation: ObjectRelation>(
        _ path: any KeyPath<E, Relation> & Sendable,
        then next: (any PartialKeyPath<Relation.Target> & Sendable)...
    ) -> Query {
        including(paths: [IncludedPath(path, then: next.map { IncludedPath($0) })])
    }
}

extension QueryOrder {
    /// Throws `.invalidArgument` for a property behind a relation to many, of which an object has
    /// several values.
    init(_ term: PropertyTerm, _ flags: OrderFlags) throws(DaybookError) {
        self.init(.expression(try term.only("An order")))
        isDescending = flags.contains(.descending)
        isCaseSensitive = flags.contains(.caseSensitive)
        areNullsLast = flags.contains(.nullsLast)
        areNullsZero = flags.contains(.nullsZero)
    }
}

extension PropertyTerm {
    /// The one value that each object has of it.
    func only(_ use: String) throws(DaybookError) -> QueryExpression {
        if let failure { throw failure }
        if let relation = enclosing.first {
            throw DaybookError(
                .invalidArgument,
                "\(use) takes one value of each object, and behind '\(relation)' there are many."
                    + " Take their max, min, sum, average or count.",
                details: ["property": "\(relation)"])
        }
        return value
    }

    /// The path of a property of which each object has one value.
    func single(_ use: String) throws(DaybookError) -> PropertyPath {
        let value = try only(use)
        guard case .property(let path) = value else {
            throw DaybookError(
                .invalidArgument, "\(use) takes a property, and no count, sum or entry of a map.")
        }
        return path
    }
}
