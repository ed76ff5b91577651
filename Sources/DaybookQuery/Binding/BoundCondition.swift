package import DaybookRecords

/// A condition whose names are resolved against a ``QueryModel`` and whose values fit the types of
/// the properties. The planner and the row evaluator use it.
///
/// ``ConditionResolver`` makes it in a normal form: `!=`, not-in, `all` and `none` are negations; a
/// comparison at the end of to-one relations is a ``linked`` condition.
package indirect enum BoundCondition: Sendable, Hashable {
    case always(Bool)
    /// At least two parts, none of them an `and`.
    case and([BoundCondition])
    /// At least two parts, none of them an `or`.
    case or([BoundCondition])
    case not(BoundCondition)
    /// A test of a property in the row or its embedded values against constants. An index can serve
    /// it.
    case column(QueryColumn, ColumnTest)
    /// Whether the object's id is one of these, which are ascending and distinct.
    case ids([UInt64])
    /// Whether the object's id is in a range.
    case idRange(ClosedRange<UInt64>)
    /// Whether a relation leads to an object that matches the inner condition.
    case linked(QueryRelation, BoundCondition)
    /// Whether an element of a collection, or a key of a map, matches the inner condition, which
    /// refers to it as the column ``QueryColumn/element(of:embeddedEntity:)``.
    case elements(QueryColumn, ofKeys: Bool, BoundCondition)
    /// Whether a string contains all words, in the form in which ``DaybookRecords`` stores them.
    case words(QueryColumn, [QueryWord])
    /// Whether a string contains the words one after another. ``ConditionResolver`` makes it only
    /// beside ``words(_:_:)`` with the same words, which an index can serve.
    case phrase(QueryColumn, [QueryWord])
    /// All other conditions: at least one expression must be computed.
    case compare(BoundExpression, QueryComparison, BoundExpression, StringOptions)
    case oneOf(BoundExpression, [QueryValue], StringOptions)
    case range(BoundExpression, lower: QueryBound?, upper: QueryBound?)
    case text(BoundExpression, TextTest, BoundExpression, StringOptions)
    case isNull(BoundExpression)
    /// Whether the object comes after a place in an order.
    case behind(QueryPlace, [BoundOrder])
}

/// A word to search for.
package struct QueryWord: Sendable, Hashable {
    /// The folded word.
    package var text: String
    /// Whether words with this prefix match.
    package var isPrefix: Bool

    package init(_ text: String, isPrefix: Bool) {
        self.text = text
        self.isPrefix = isPrefix
    }

    /// Canonically equivalent words differ, because strings are searched byte by byte.
    package static func == (one: QueryWord, other: QueryWord) -> Bool {
        one.isPrefix == other.isPrefix && one.text.hasSameBytes(as: other.text)
    }

    package func hash(into hasher: inout Hasher) {
        text.utf8.forEach { hasher.combine($0) }
        hasher.combine(isPrefix)
    }
}

/// A property of a row, or of one of its embedded values.
package struct QueryColumn: Sendable, Hashable {
    /// The property in the row, then that in its embedded value, and so on; at least one.
    package var path: [QueryProperty]

    package init(_ path: [QueryProperty]) { self.path = path }

    /// The property that holds the value.
    package var property: QueryProperty { path[path.count - 1] }
    package var type: FieldType { property.shape.type }
    /// Whether an index of the row's entity can cover it.
    package var isPlain: Bool { path.count == 1 }
    /// The path in dot notation.
    package var name: String { path.map(\.name).joined(separator: ".") }
    /// The column of an element in conditions on a collection: the only property of a row of its
    /// own.
    package static func element(of shape: ValueShape, embeddedEntity: UInt32?) -> QueryColumn {
        QueryColumn([
            QueryProperty(
                name: "element", propertyID: 1, entity: 0, shape: shape,
                embeddedEntity: embeddedEntity)
        ])
    }

    /// Whether the property or one of the embedded values may be null.
    package var isOptional: Bool { path.contains(where: \.shape.isOptional) }
}

/// A test of a column against constants, which are not null and fit the column's type. The resolver
/// decides all other tests.
package enum ColumnTest: Sendable, Hashable {
    case isNull
    /// Equal to the value, which is not null. Strings compare by their bytes.
    case equal(QueryValue)
    /// Equal to one of the values, which are distinct and not null. Strings compare by their bytes.
    case oneOf([QueryValue])
    /// Between two values, with at least one bound. Strings compare by their bytes.
    case range(lower: QueryBound?, upper: QueryBound?)
    /// Equal to one of the strings except for the differences that the options ignore, which are
    /// not empty. The strings are folded and distinct. Not a set, because a set treats canonically
    /// equivalent strings as equal.
    case foldedEqual([String], StringOptions)
    /// Between two folded strings, with at least one bound.
    case foldedRange(lower: QueryBound?, upper: QueryBound?, StringOptions)
    /// The pattern is folded by the options, which may be empty.
    case text(TextTest, String, StringOptions)
}

/// An expression whose names are resolved.
package indirect enum BoundExpression: Sendable, Hashable {
    case value(QueryValue)
    case column(QueryColumn)
    case id
    case entry(QueryColumn, key: String)
    /// The value of an expression of the object at the other end of a to-one relation.
    case linked(QueryRelation, BoundExpression)
    /// The aggregate of the elements of a collection.
    case aggregate(QueryAggregate, QueryColumn)
    /// The aggregate of an expression over the objects of a relation; nil for their count.
    case relationAggregate(QueryAggregate, QueryRelation, BoundExpression?)
    case function(QueryFunction, [BoundExpression])
}
