import DaybookRecords

/// The kinds of values that can be compared with each other.
enum ValueFamily: String, Sendable, Hashable {
    case bool = "a Boolean"
    case number = "a number"
    case moment = "a date"
    case text = "a string"
    case bytes = "bytes"
    case uuid = "a UUID"
    case json = "a value kept as JSON"
    /// Compared as a whole, only for equality.
    case stored = "a collection"
    case embedded = "an embedded value"
    /// The constant nil, which can be compared with all kinds.
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
        case .json: self = .json
        case .list, .set, .map: self = .stored
        case .embedded: self = .embedded
        // The value of a relation is the id of its object.
        case .toOne, .toMany, .objects, .keyedObjects: self = .number
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
        case .json: self = .json
        case .stored: self = .stored
        }
    }

    /// A value of the kind, for messages.
    var remedy: String {
        self == .moment ? "a date, in a text such as @2026-01-31" : rawValue
    }

    /// Whether the values can be compared with `<` and `>`.
    var isOrdered: Bool { self != .stored && self != .embedded }
}

/// An expression whose names are resolved, as an operand of a comparison.
struct ResolvedExpression: Sendable {
    /// The form of the expression.
    enum Form: Sendable {
        case constant(QueryValue)
        case column(QueryColumn)
        case id
        /// The ids of the objects of a relation; a comparison is true if it is true for any of
        /// them.
        case objects(QueryRelation)
        /// An expression that must be computed.
        case other(BoundExpression)
    }

    var form: Form
    /// The to-one relations that lead to the object that has the value.
    var relations: [QueryRelation] = []
    var family: ValueFamily
    /// The type of the property; nil for constants and computed values.
    var type: FieldType?
    var label: Label

    /// The parts of the name, because only messages need the name itself.
    enum Label: Sendable {
        case text(String)
        case column(QueryColumn)
        case property(entity: String, name: String)
        case path(PropertyPath)
    }

    /// The expression as users write it, for messages.
    var name: String {
        switch label {
        case .text(let text): text
        case .column(let column): "'\(column.name)'"
        case .property(let entity, let name): "'\(entity).\(name)'"
        case .path(let path): "'\(path)'"
        }
    }

    /// The expression. It must have a single value per object.
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

// Constants that are compared with values kept as JSON.
extension ResolvedExpression {
    /// A constant as JSON, if the other operand is JSON.
    func asJSON(besides other: ResolvedExpression) -> ResolvedExpression {
        guard case .constant(let value) = form else { return self }
        var expression = self
        let fitted = other.fitting(value)
        expression.form = .constant(fitted)
        expression.family = ValueFamily(fitted)
        return expression
    }

    /// A constant to compare with this expression.
    func fitting(_ value: QueryValue) -> QueryValue {
        guard family == .json else { return value }
        return OrderedJSON(value).map { .json($0) } ?? value
    }

    func fitting(_ bound: QueryBound?) -> QueryBound? {
        bound.map { QueryBound(fitting($0.value), isInclusive: $0.isInclusive) }
    }
}
