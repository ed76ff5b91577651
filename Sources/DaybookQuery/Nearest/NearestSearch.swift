import DaybookBytes
import DaybookRecords

/// A search for the nearest neighbours of a vector, whose name is resolved.
package struct NearestSearch: Sendable, Hashable {
    /// A property with lists of `Float`.
    package var column: QueryColumn
    package var vector: [Float]
    /// The maximum number of objects.
    package var count: Int
}

/// A condition in two parts.
struct SplitCondition {
    /// The condition without the search.
    var rest: QueryCondition
    /// The searched property, the vector and the number of objects; nil if there is no search.
    var search: (path: PropertyPath, vector: [Float], count: Int)?

    /// Takes the search for nearest neighbours out of a condition. It may only be one part of a
    /// conjunction; the resolver refuses it elsewhere.
    ///
    /// Throws `.invalidArgument` for two searches.
    init(_ condition: QueryCondition) throws(DaybookError) {
        rest = condition
        switch condition {
        case .nearest(let path, let vector, let count):
            rest = .always(true)
            search = (path, vector, count)
        case .named(let name, let inner):
            let split = try SplitCondition(inner)
            guard split.search != nil else { return }
            self = split
            rest = .named(name, split.rest)
        case .and(let parts) where parts.contains { $0.mayHoldSearch }:
            var others: [QueryCondition] = []
            for part in parts {
                let split = try SplitCondition(part)
                others.append(split.rest)
                guard let found = split.search else { continue }
                guard search == nil else { throw Self.twoSearches }
                search = found
            }
            rest = .and(others)
        default: break
        }
    }

    private static var twoSearches: DaybookError {
        DaybookError(
            .invalidArgument,
            "A query searches for the nearest neighbours of two vectors. Use two queries.")
    }

    /// The error for a search that is not a part of the conjunction.
    static var misplaced: DaybookError {
        DaybookError(
            .invalidArgument,
            "A search for nearest neighbours is inside a negation, an alternative, or a condition"
                + " on related objects. It can only be combined with other conditions by &&.")
    }
}

extension QueryCondition {
    fileprivate var mayHoldSearch: Bool {
        switch self {
        case .nearest, .named, .and: true
        default: false
        }
    }
}

extension QueryRunner {
    /// Resolves the property of a search. Throws `.invalidArgument` for a property without vectors,
    /// and for a negative number of objects.
    static func resolve(
        _ search: (path: PropertyPath, vector: [Float], count: Int), of entity: UInt32,
        _ resolver: ConditionResolver
    ) throws(DaybookError) -> NearestSearch {
        try check(search.count, "count")
        guard case .column(let column) = try resolver.resolve(.property(search.path), of: entity),
            column.isPlain, column.type == .list, column.property.shape.element?.type == .float
        else {
            throw DaybookError(
                .invalidArgument,
                "'\(search.path)' has no vectors: a search for nearest neighbours needs a property"
                    + " of the type [Float] in the object itself.",
                details: ["property": "\(search.path)"])
        }
        return NearestSearch(column: column, vector: search.vector, count: search.count)
    }
}
