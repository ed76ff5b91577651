import DaybookRecords

/// What can be compared with each other.
enum ValueFamily: String, Sendable, Hashable {
    case bool = "a truth value"
    case number = "a number"
    case moment = "a date"
    case text = "a text"
    case bytes = "bytes"
    case uuid = "a UUID"
    /// Compared whole, for equality alone.
    case stored = "a collection"
    case embedded = "an embedded value"
    /// The constant nil, which goes with all.
    case null = "nil"

    init(_ type: FieldType) {
        switch type {
        case .bool: self = .bool
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double,
            .decimal:
            self = .number
        case .date, .dateNano: self = .moment
        case .string: self = .text
        case .bytes: self = .bytes
        case .uuid: self = .uuid
        case .list, .set, .map, .json: self = .stored
        case .embedded: self = .embedded
        // The value of a relation is the id of its object.
        case .toOne, .toMany, .objects: self = .number
        }
    }

    init(_ value: QueryValue) {
        switch value {
        case .null: self = .null
        case .bool: self = .bool
        case .integer, .number, .decimal: self = .number
        case .moment: self = .moment
        case .text: self = .text
        case .bytes: self = .bytes
        case .uuid: self = .uuid
        case .stored: self = .stored
        }
    }

    /// Whether there is a before and behind.
    var isOrdered: Bool { self != .stored && self != .embedded }
}

/// An expression whose names are resolved, in the form that comparisons are made of.
struct ResolvedExpression: Sendable {
    /// What it is.
    enum Form: Sendable {
        case constant(QueryValue)
        case column(QueryColumn)
        case id
        /// The ids of the objects of a relation, of which each counts.
        case objects(QueryRelation)
        /// What has to be worked out.
        case other(BoundExpression)
    }

    var form: Form
    /// Relations to one that lead to where the form is found.
    var relations: [QueryRelation] = []
    var family: ValueFamily
    /// The type of what is kept; nil for constants and what is worked out.
    var type: FieldType?
    /// As people write it, for messages.
    var name: String

    /// As an expression, which needs no more than one value for each object.
    var bound: BoundExpression {
        let inner: BoundExpression =
            switch form {
            case .constant(let value): .value(value)
            case .column(let column): .column(column)
            case .id: .id
            case .objects(let relation): .linked(relation, .id)
            case .other(let expression): expression
            }
        return relations.reversed().reduce(inner) { .linked($1, $0) }
    }

    var constant: QueryValue? {
        if case .constant(let value) = form { value } else { nil }
    }

    /// Whether it leads to many objects.
    var isToMany: Bool {
        if case .objects(let relation) = form { !relation.isToOne } else { false }
    }
}
