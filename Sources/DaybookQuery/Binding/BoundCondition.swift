package import DaybookRecords

/// A condition whose names are resolved against a ``QueryModel`` and whose values fit the
/// properties: what is planned and what rows are judged by.
///
/// Made by ``ConditionResolver``, which brings what is written into few forms: `!=`, not-in, `all`
/// and `none` are negations; a comparison at the end of relations to one is a ``linked`` condition.
package indirect enum BoundCondition: Sendable, Hashable {
    case always(Bool)
    /// Two at least, none of them an `and`.
    case and([BoundCondition])
    /// Two at least, none of them an `or`.
    case or([BoundCondition])
    case not(BoundCondition)
    /// About a property of the row itself, or in its embedded values, and constants: an index may
    /// lead to it.
    case column(QueryColumn, ColumnTest)
    /// Whether the object's id is one of these, ascending, each once.
    case ids([UInt64])
    /// Whether the object's id is in a range.
    case idRange(ClosedRange<UInt64>)
    /// Whether a relation leads to an object of which the inner condition is true.
    case linked(QueryRelation, BoundCondition)
    /// Whether the inner condition is true of an element of a collection, or a key of a map: to
    /// it, that is the column ``QueryColumn/element(of:embeddedEntity:)``.
    case elements(QueryColumn, ofKeys: Bool, BoundCondition)
    /// Whether a text has all words, in the form that ``DaybookRecords`` keeps them.
    case words(QueryColumn, [QueryWord])
    /// All else: two expressions of which one has to be worked out.
    case compare(BoundExpression, QueryComparison, BoundExpression, StringOptions)
    case oneOf(BoundExpression, [QueryValue], StringOptions)
    case range(BoundExpression, lower: QueryBound?, upper: QueryBound?)
    case text(BoundExpression, TextTest, BoundExpression, StringOptions)
    case isNull(BoundExpression)
}

/// A word that is looked for.
package struct QueryWord: Sendable, Hashable {
    /// Folded.
    package var text: String
    /// Whether words that begin with it count.
    package var isPrefix: Bool

    package init(_ text: String, isPrefix: Bool) {
        self.text = text
        self.isPrefix = isPrefix
    }

    /// Two spellings of one character are different words: texts are searched byte by byte.
    package static func == (one: QueryWord, other: QueryWord) -> Bool {
        one.isPrefix == other.isPrefix && one.text.hasSameBytes(as: other.text)
    }

    package func hash(into hasher: inout Hasher) {
        text.utf8.forEach { hasher.combine($0) }
        hasher.combine(isPrefix)
    }
}

/// A property of a row, reached through embedded values where there is more than one.
package struct QueryColumn: Sendable, Hashable {
    /// The property in the row, then that in its embedded value, and so on: one at least.
    package var path: [QueryProperty]

    package init(_ path: [QueryProperty]) { self.path = path }

    /// The property whose value it is.
    package var property: QueryProperty { path[path.count - 1] }
    package var type: FieldType { property.shape.type }
    /// Whether indexes of the row's entity may be over it.
    package var isPlain: Bool { path.count == 1 }
    /// The name as people write it.
    package var name: String { path.map(\.name).joined(separator: ".") }
    /// The element that a condition on the elements of a collection is about: the only property of
    /// a row of its own.
    package static func element(of shape: ValueShape, embeddedEntity: UInt32?) -> QueryColumn {
        QueryColumn([
            QueryProperty(
                name: "element", propertyID: 1, entity: 0, shape: shape,
                embeddedEntity: embeddedEntity)
        ])
    }

    /// Whether it may be null: one of the embedded values, or the property itself.
    package var isOptional: Bool { path.contains(where: \.shape.isOptional) }
}

/// A test of a column against constants. The values are such as the column's type can have, null
/// excepted: what it cannot have was decided before.
package enum ColumnTest: Sendable, Hashable {
    case isNull
    /// Equal to the value, which is not null; texts by their bytes.
    case equal(QueryValue)
    /// One of the values, none of them null, each once; texts by their bytes.
    case oneOf([QueryValue])
    /// Between two values; one bound at least. Texts by their bytes.
    case range(lower: QueryBound?, upper: QueryBound?)
    /// Equal to one of the texts but for what the options ignore, which is something; the texts are
    /// folded, each once. No set: to that, two spellings of one character are the same.
    case foldedEqual([String], StringOptions)
    /// Between two folded texts; one bound at least.
    case foldedRange(lower: QueryBound?, upper: QueryBound?, StringOptions)
    /// The pattern is folded as the options say, which may be not at all.
    case text(TextTest, String, StringOptions)
}

/// An expression whose names are resolved.
package indirect enum BoundExpression: Sendable, Hashable {
    case value(QueryValue)
    case column(QueryColumn)
    case id
    case entry(QueryColumn, key: String)
    /// The value of an expression of the object that a relation to one leads to.
    case linked(QueryRelation, BoundExpression)
    /// What the elements of a collection come to.
    case aggregate(QueryAggregate, QueryColumn)
    /// What an expression comes to over the objects of a relation; nil for how many there are.
    case relationAggregate(QueryAggregate, QueryRelation, BoundExpression?)
}
