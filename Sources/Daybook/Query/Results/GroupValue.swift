import DaybookBytes
import DaybookQuery

/// What the objects of a group come to: how many they are, or an aggregate of a property of theirs.
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

/// The same without its type, or why it makes no sense.
typealias GroupContent = Result<GroupDefinition.Value, DaybookError>

extension GroupValue where Value == Int {
    /// How many objects the group has.
    public static var count: GroupValue { GroupValue(.count, nil, PlainConversion()) }

    /// In how many objects of the group a property is not nil.
    public static func count<Member>(
        _ path: KeyPath<E.Type, Property<E, Member>>
    ) -> GroupValue { GroupValue(.count, E.self[keyPath: path].term, PlainConversion()) }
}

extension GroupValue where Value == Double? {
    /// The average of a property in the group; nil where it is nil in all.
    public static func average<Member: NumericValue>(
        _ path: KeyPath<E.Type, Property<E, Member>>
    ) -> GroupValue { GroupValue(.average, E.self[keyPath: path].term, PlainConversion()) }
}

extension GroupValue {
    /// The sum of a property in the group; 0 where it is nil in all.
    public static func sum<Member: NumericValue>(
        _ path: KeyPath<E.Type, Property<E, Member>>
    ) -> GroupValue where Value == Member.Sum {
        GroupValue(.sum, E.self[keyPath: path].term, PlainConversion())
    }

    /// The least value of a property in the group; nil where it is nil in all.
    public static func min<Member: OrderedValue>(
        _ path: KeyPath<E.Type, Property<E, Member>>
    ) -> GroupValue where Value == Member.Operand?, Member.Operand: PropertyValue {
        GroupValue(.minimum, of: E.self[keyPath: path])
    }

    /// The greatest value of a property in the group; nil where it is nil in all.
    public static func max<Member: OrderedValue>(
        _ path: KeyPath<E.Type, Property<E, Member>>
    ) -> GroupValue where Value == Member.Operand?, Member.Operand: PropertyValue {
        GroupValue(.maximum, of: E.self[keyPath: path])
    }
}

/// What conditions and orders of groups are about: `having { $0.count > 3 }`.
public struct GroupTerms<E: Entity>: Sendable {
    /// How many objects the group has.
    public var count: GroupValue<E, Int> { .count }

    /// In how many objects of the group a property is not nil.
    public func count<Member>(
        _ path: KeyPath<E.Type, Property<E, Member>>
    ) -> GroupValue<E, Int> { .count(path) }

    /// The sum of a property in the group.
    public func sum<Member: NumericValue>(
        _ path: KeyPath<E.Type, Property<E, Member>>
    ) -> GroupValue<E, Member.Sum> { .sum(path) }

    /// The average of a property in the group.
    public func average<Member: NumericValue>(
        _ path: KeyPath<E.Type, Property<E, Member>>
    ) -> GroupValue<E, Double?> { .average(path) }

    /// The least value of a property in the group.
    public func min<Member: OrderedValue>(
        _ path: KeyPath<E.Type, Property<E, Member>>
    ) -> GroupValue<E, Member.Operand?> where Member.Operand: PropertyValue { .min(path) }

    /// The greatest value of a property in the group.
    public func max<Member: OrderedValue>(
        _ path: KeyPath<E.Type, Property<E, Member>>
    ) -> GroupValue<E, Member.Operand?> where Member.Operand: PropertyValue { .max(path) }
}
