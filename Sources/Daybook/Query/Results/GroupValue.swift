import DaybookBytes
import DaybookQuery

/// A value that is computed for each group: the number of its objects, or an aggregate of a
/// property.
public struct GroupValue<E: Entity, Value>: Sendable {
    let content: GroupContent
    let conversion: any ValueConversion<Value>

    fileprivate init(
        _ aggregate: QueryAggregate, _ term: PropertyTerm?,
        _ conversion: any ValueConversion<Value>
    ) {
        content = Result { () throws(DaybookError) in
            GroupDefinition.Value(aggregate, of: try term?.only("An aggregate"))
        }
        self.conversion = conversion
    }

    fileprivate init<Member: OrderedValue>(
        _ aggregate: QueryAggregate, of property: Property<E, Member>
    ) where Value == Member.Operand?, Member.Operand: PropertyValue {
        self.init(aggregate, property.term, PlainConversion())
    }
}

/// The value without its type, or the error that makes it invalid.
typealias GroupContent = Result<GroupDefinition.Value, DaybookError>

extension GroupValue where Value == Int {
    /// The number of objects of the group.
    public static var count: GroupValue { GroupValue(.count, nil, PlainConversion()) }

    /// The number of objects of the group whose property is not nil.
    public static func count<Member>(
        _ path: KeyPath<E.Type, Property<E, Member>>
    ) -> GroupValue { GroupValue(.count, E.self[keyPath: path].term, PlainConversion()) }
}

extension GroupValue where Value == Double? {
    /// The average of a property in the group; nil if the property is nil in all objects.
    public static func average<Member: NumericValue>(
        _ path: KeyPath<E.Type, Property<E, Member>>
    ) -> GroupValue { GroupValue(.average, E.self[keyPath: path].term, PlainConversion()) }
}

extension GroupValue {
    /// The sum of a property in the group; 0 if the property is nil in all objects.
    public static func sum<Member: NumericValue>(
        _ path: KeyPath<E.Type, Property<E, Member>>
    ) -> GroupValue where Value == Member.Sum {
        GroupValue(.sum, E.self[keyPath: path].term, PlainConversion())
    }

    /// The minimum of a property in the group; nil if the property is nil in all objects.
    public static func min<Member: OrderedValue>(
        _ path: KeyPath<E.Type, Property<E, Member>>
    ) -> GroupValue where Value == Member.Operand?, Member.Operand: PropertyValue {
        GroupValue(.minimum, of: E.self[keyPath: path])
    }

    /// The maximum of a property in the group; nil if the property is nil in all objects.
    public static func max<Member: OrderedValue>(
        _ path: KeyPath<E.Type, Property<E, Member>>
    ) -> GroupValue where Value == Member.Operand?, Member.Operand: PropertyValue {
        GroupValue(.maximum, of: E.self[keyPath: path])
    }
}

/// The values that conditions and sort keys of groups can use: `having { $0.count > 3 }`.
public struct GroupTerms<E: Entity>: Sendable {
    /// The number of objects of the group.
    public var count: GroupValue<E, Int> { .count }

    /// The number of objects of the group whose property is not nil.
    public func count<Member>(
        _ path: KeyPath<E.Type, Property<E, Member>>
    ) -> GroupValue<E, Int> { .count(path) }

    /// The sum of a property in the group; 0 if the property is nil in all objects.
    public func sum<Member: NumericValue>(
        _ path: KeyPath<E.Type, Property<E, Member>>
    ) -> GroupValue<E, Member.Sum> { .sum(path) }

    /// The average of a property in the group; nil if the property is nil in all objects.
    public func average<Member: NumericValue>(
        _ path: KeyPath<E.Type, Property<E, Member>>
    ) -> GroupValue<E, Double?> { .average(path) }

    /// The minimum of a property in the group; nil if the property is nil in all objects.
    public func min<Member: OrderedValue>(
        _ path: KeyPath<E.Type, Property<E, Member>>
    ) -> GroupValue<E, Member.Operand?> where Member.Operand: PropertyValue { .min(path) }

    /// The maximum of a property in the group; nil if the property is nil in all objects.
    public func max<Member: OrderedValue>(
        _ path: KeyPath<E.Type, Property<E, Member>>
    ) -> GroupValue<E, Member.Operand?> where Member.Operand: PropertyValue { .max(path) }
}
