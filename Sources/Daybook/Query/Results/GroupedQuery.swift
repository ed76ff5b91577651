import DaybookBytes
import DaybookEngine
import DaybookQuery

/// The objects of a query in groups with equal values of some properties. Returned by `groups(by:)`
/// of a ``Query``.
///
/// ```swift
/// let cities = try box.query { $0.age > 18 }.groups(by: \.city)
///     .having { $0.count > 10 }.ordered(by: { $0.count }, flags: .descending)
///     .find(.count, .max(\.age))
/// for (city, (count, oldest)) in cities { … }
/// ```
///
/// Nil equals nil; strings are compared exactly. Without another order, the groups are sorted by
/// their keys. A grouped query is a value, and throws the errors of the query.
public struct GroupedQuery<E: Entity, each Key>: Sendable {
    private let query: Query<E>
    private let keys: (repeat Property<E, each Key>)
    private var requirement: GroupRequirement<E>?
    private var orders: [(content: GroupContent, flags: OrderFlags)] = []
    private var count: Int?
    private var start = 0

    init(_ query: Query<E>, _ keys: repeat Property<E, each Key>) {
        self.query = query
        self.keys = (repeat each keys)
    }

    /// Returns the query with only the groups that satisfy the condition, in addition to earlier
    /// conditions.
    public func having(
        _ requirement: (GroupTerms<E>) -> GroupRequirement<E>
    ) -> GroupedQuery {
        var copy = self
        let further = requirement(GroupTerms())
        copy.requirement = copy.requirement.map { $0 && further } ?? further
        return copy
    }

    /// Returns the query with its groups ordered by a value. Earlier keys take precedence. Strings
    /// are ordered by their Unicode scalars. With `nullsZero`, `find` throws `.invalidArgument`.
    public func ordered<Value>(
        by value: (GroupTerms<E>) -> GroupValue<E, Value>, flags: OrderFlags = []
    ) -> GroupedQuery {
        var copy = self
        copy.orders.append((value(GroupTerms()).content, flags))
        return copy
    }

    /// Returns the query with a maximum number of groups.
    public func limit(_ count: Int) -> GroupedQuery {
        var copy = self
        copy.count = count
        return copy
    }

    /// Returns the query without its first `count` groups.
    public func offset(_ count: Int) -> GroupedQuery {
        var copy = self
        copy.start = count
        return copy
    }

    /// Returns the groups, each with its key and the requested values. Throws `.overflow` for a sum
    /// that does not fit its type.
    public func find<each Value>(
        _ values: repeat GroupValue<E, each Value>
    ) throws -> [(key: (repeat each Key), values: (repeat each Value))] {
        let groups = try groups(repeat each values)
        let found = try query.types.query { try groups.groups($0) }
        return try found.map { try made($0, repeat each values) }
    }

    /// `find` without blocking.
    public nonisolated(nonsending) func find<each Value>(
        _ values: repeat GroupValue<E, each Value>
    ) async throws -> [(key: (repeat each Key), values: (repeat each Value))] {
        let groups = try groups(repeat each values)
        let found = try await query.elsewhere { try groups.groups($0) }
        return try found.map { try made($0, repeat each values) }
    }

    private func groups<each Value>(
        _ values: repeat GroupValue<E, each Value>
    ) throws -> QueryGroups {
        var expressions: [QueryExpression] = []
        for key in repeat each keys { expressions.append(try key.term.only("A group")) }
        var definition = GroupDefinition(by: expressions, values: [])
        for value in repeat each values { definition.values.append(try value.content.get()) }
        if let requirement = requirement?.combined {
            if let failure = requirement.failure { throw failure }
            definition.having = try definition.condition(requirement.content)
        }
        for (content, flags) in orders {
            guard !flags.contains(.nullsZero) else { throw Self.noZero }
            var order = GroupOrder(.value(try definition.place(of: content)))
            order.isDescending = flags.contains(.descending)
            order.areNullsLast = flags.contains(.nullsLast)
            definition.orders.append(order)
        }
        definition.offset = start
        definition.limit = count
        return try QueryGroups(try query.runner(), definition)
    }

    private static var noZero: DaybookError {
        DaybookError(
            .invalidArgument,
            "Groups cannot be ordered with nil as zero. Use nullsLast, or no flag for nil first.")
    }

    private func made<each Value>(
        _ group: QueryGroups.Group, _ values: repeat GroupValue<E, each Value>
    ) throws -> (key: (repeat each Key), values: (repeat each Value)) {
        var (keyPlace, valuePlace) = (-1, -1)
        func key<One>(_ property: Property<E, One>) throws -> One {
            keyPlace += 1
            return try property.conversion.value(of: group.keys[keyPlace], query.types)
        }
        func value<One>(_ value: GroupValue<E, One>) throws -> One {
            valuePlace += 1
            return try value.conversion.value(of: group.values[valuePlace], query.types)
        }
        return (key: (repeat try key(each keys)), values: (repeat try value(each values)))
    }
}

extension GroupDefinition {
    /// Returns the index of a value, which is added to the requested values if needed.
    mutating func place(of content: GroupContent) throws(DaybookError) -> Int {
        let value = try content.get()
        if let place = values.firstIndex(of: value) { return place }
        values.append(value)
        return values.count - 1
    }

    mutating func condition<E>(
        _ content: GroupRequirement<E>.Content
    ) throws(DaybookError) -> GroupCondition {
        switch content {
        case .always(let isTrue): return .always(isTrue)
        case .compare(let value, let comparison, let operand):
            return .compare(.value(try place(of: value)), comparison, operand)
        case .and(let parts): return .and(try conditions(parts))
        case .or(let parts): return .or(try conditions(parts))
        case .not(let one): return .not(try condition(one))
        }
    }

    private mutating func conditions<E>(
        _ parts: [GroupRequirement<E>.Content]
    ) throws(DaybookError) -> [GroupCondition] {
        var conditions: [GroupCondition] = []
        for part in parts { conditions.append(try condition(part)) }
        return conditions
    }
}

extension Query {
    /// Returns the objects of the query in groups with equal values of some properties: `groups(by:
    /// \.city)`.
    public func groups<each Key>(
        by paths: repeat KeyPath<E.Type, Property<E, each Key>>
    ) -> GroupedQuery<E, repeat each Key> {
        GroupedQuery(self, repeat E.self[keyPath: each paths])
    }

    /// Returns the objects of the query in groups with equal values of some properties.
    public func groups<each Key>(
        by properties: repeat Property<E, each Key>
    ) -> GroupedQuery<E, repeat each Key> { GroupedQuery(self, repeat each properties) }
}
