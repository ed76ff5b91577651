import DaybookBytes
import DaybookRecords

// Resolves conditions on related objects and on elements of collections.
extension Resolution {
    mutating func linked(
        _ path: PropertyPath, _ quantifier: QueryQuantifier, _ inner: QueryCondition,
        _ scope: Scope, depth: Int
    ) throws(DaybookError) -> BoundCondition {
        let end = try property(path, scope, depth: depth)
        guard case .objects(let relation) = end.form else {
            throw Self.wrongOperator(
                end, "leads to no objects", "Use conditions on the property itself.")
        }
        _ = try entity(relation.target, path)
        let relations = end.relations + [relation]
        let condition = try condition(
            inner, .entity(relation.target), depth: depth + relations.count)
        return Self.quantified(quantifier, condition) { .through(relations, $0) }
    }

    mutating func elements(
        _ path: PropertyPath, _ quantifier: QueryQuantifier, _ inner: QueryCondition,
        _ scope: Scope, ofKeys: Bool, depth: Int
    ) throws(DaybookError) -> BoundCondition {
        let collection = try collection(path, scope, ofKeys: ofKeys, depth: depth)
        let condition = try condition(
            inner, .element(ofKeys ? Self.key : collection.element),
            depth: depth + collection.relations.count + 1)
        return Self.quantified(quantifier, condition) { condition in
            if case .always(false) = condition { return condition }
            return .through(
                collection.relations, .elements(collection.column, ofKeys: ofKeys, condition))
        }
    }

    /// The column of a map's key.
    private static var key: QueryColumn { .element(of: ValueShape(.string), embeddedEntity: nil) }

    private static func quantified(
        _ quantifier: QueryQuantifier, _ inner: BoundCondition,
        _ any: (BoundCondition) -> BoundCondition
    ) -> BoundCondition {
        switch quantifier {
        case .any: any(inner)
        case .none: .negation(any(inner))
        case .all: .negation(any(.negation(inner)))
        }
    }

    /// A collection and the relations that lead to it.
    struct Collection {
        var column: QueryColumn
        /// The column of its elements.
        var element: QueryColumn
        var relations: [QueryRelation]
    }

    private func collection(
        _ path: PropertyPath, _ scope: Scope, ofKeys: Bool, depth: Int
    ) throws(DaybookError) -> Collection {
        // An empty path denotes the current element, which may itself be a collection.
        let end =
            path.steps.isEmpty
            ? try expression(.element, scope, depth: depth)
            : try property(path, scope, depth: depth)
        guard let collection = Self.collection(end), !ofKeys || collection.column.type == .map
        else {
            throw Self.wrongOperator(
                end, ofKeys ? "is not a map with keys" : "is not a list, set or map",
                "Use conditions on the property itself.")
        }
        return collection
    }

    /// The collection that an expression denotes; nil if it denotes anything else.
    static func collection(_ end: ResolvedExpression) -> Collection? {
        guard case .column(let column) = end.form, column.type.isCollection,
            let shape = column.property.shape.element
        else { return nil }
        let element = QueryColumn.element(
            of: shape, embeddedEntity: column.property.embeddedEntity)
        return Collection(column: column, element: element, relations: end.relations)
    }
}
