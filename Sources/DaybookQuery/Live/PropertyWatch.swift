import DaybookBytes

/// The properties whose changes are reported.
struct PropertyWatch: Sendable {
    /// The watched properties stored in the row.
    private(set) var values: [BoundOrder] = []
    /// The watched relations.
    private(set) var relations: Set<UInt32> = []

    /// Throws `.invalidArgument` for a name that the entity does not have, and for a path that
    /// leads to other objects: a query of their entity reports their changes.
    init(
        _ paths: [PropertyPath], of entity: UInt32, in model: QueryModel
    ) throws(DaybookError) {
        let resolver = ConditionResolver(model)
        for path in paths {
            if path.steps.count == 1,
                case .relation(let relation) = model.entities[entity]?
                    .members[path.steps[0]]
            {
                guard !relation.isBackward else { throw Self.elsewhere(path) }
                if let number = relation.relationID { relations.insert(number) }
                continue
            }
            let bound = try resolver.resolve(.property(path), of: entity)
            if case .linked = bound { throw Self.elsewhere(path) }
            values.append(BoundOrder(exactly: bound))
        }
    }

    private static func elsewhere(_ path: PropertyPath) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "'\(path)' is a property of other objects than those that the query finds, so its"
                + " changes cannot be reported. Name properties of the query's entity.",
            details: ["property": path.description])
    }
}
