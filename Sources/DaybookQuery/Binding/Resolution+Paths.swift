import DaybookBytes
import DaybookRecords

// Resolves names to properties and relations.
extension Resolution {
    func expression(
        _ expression: QueryExpression, _ scope: Scope, depth: Int
    ) throws(DaybookError) -> ResolvedExpression {
        switch expression {
        case .value(let value):
            if case .uuid(let bytes) = value, bytes.count != 16 {
                throw Self.invalid("A UUID has 16 bytes, and \(bytes.count) are given.", "")
            }
            return ResolvedExpression(
                form: .constant(value), family: ValueFamily(value), label: .text("the value"))
        case .property(let path): return try property(path, scope, depth: depth)
        case .element:
            guard case .element(let column) = scope else {
                throw Self.invalid(
                    "There is no element here: conditions on elements must be inside"
                        + " 'any', 'all' or 'none' of a collection.", "element")
            }
            return ResolvedExpression(column)
        case .entry(let path, let key):
            return try entry(try property(path, scope, depth: depth), key)
        case .aggregate(let aggregate, let path, let of):
            return try self.aggregate(aggregate, path, of, scope, depth: depth)
        case .function(let function, let arguments):
            return try self.function(function, arguments, scope, depth: depth)
        }
    }

    /// Resolves a path.
    func property(
        _ path: PropertyPath, _ scope: Scope, depth: Int
    ) throws(DaybookError) -> ResolvedExpression {
        guard depth + path.steps.count <= ConditionResolver.depthMax else { throw Self.tooDeep }
        guard !path.steps.isEmpty else {
            throw Self.invalid("A path is empty. Name a property.", "")
        }
        var walk: PathCursor
        switch scope {
        case .entity(let entity): walk = PathCursor(path, try self.entity(entity, path))
        case .element(let column):
            guard let entity = column.property.embeddedEntity else {
                throw Self.invalid(
                    "'\(path)' is not a property of an element. Inside 'any', 'all' and 'none' of a"
                        + " collection, conditions apply to its elements only.",
                    path.description)
            }
            walk = PathCursor(path, try self.entity(entity, path))
            walk.columns = column.path
        }
        for step in path.steps.indices { try take(step, of: &walk) }
        return try walk.result()
    }

    func entity(_ number: UInt32, _ path: PropertyPath) throws(DaybookError) -> QueryModel.Entity {
        guard let entity = model.entities[number] else {
            throw DaybookError(
                .entityNotRegistered,
                "'\(path)' leads to an entity that the store was not opened with. Open the store"
                    + " with all entities that its queries use.",
                details: ["path": path.description, "entity": String(number)])
        }
        return entity
    }

    private func take(_ step: Int, of walk: inout PathCursor) throws(DaybookError) {
        let name = walk.path.steps[step]
        let isLast = step == walk.path.steps.count - 1
        guard let member = walk.entity.members[name] ?? (name == PropertyPath.id ? .id : nil) else {
            throw Self.unknown(name, in: walk.entity, walk.path)
        }
        switch member {
        case .id:
            guard isLast, walk.columns.isEmpty else {
                throw Self.invalid(
                    "'\(walk.path)' goes through an id. Ids have no properties, and embedded"
                        + " values have no ids.", walk.path.description)
            }
            walk.end = .id
        case .property(let property):
            walk.columns.append(property)
            guard !isLast else { return }
            guard property.shape.type == .embedded, let next = property.embeddedEntity else {
                throw Self.invalid(
                    "'\(walk.path)' continues after '\(name)', which has type"
                        + " \(property.shape.description) and has no properties.",
                    walk.path.description)
            }
            walk.entity = try entity(next, walk.path)
        case .relation(let relation):
            guard walk.columns.isEmpty else {
                throw Self.invalid(
                    "'\(walk.path)' goes through a relation of an embedded value, which has none.",
                    walk.path.description)
            }
            guard !isLast else {
                walk.end = .relation(relation)
                return
            }
            guard relation.isToOne else {
                throw Self.invalid(
                    "'\(walk.path)' goes through '\(name)', which leads to many objects. Use"
                        + " a condition on them with 'any', 'all' or 'none'.",
                    walk.path.description)
            }
            walk.relations.append(relation)
            walk.entity = try entity(relation.target, walk.path)
        }
    }
}

/// The state of following a path.
private struct PathCursor {
    enum End {
        case column, id
        case relation(QueryRelation)
    }

    let path: PropertyPath
    var entity: QueryModel.Entity
    var relations: [QueryRelation] = []
    var columns: [QueryProperty] = []
    var end = End.column

    init(_ path: PropertyPath, _ entity: QueryModel.Entity) {
        self.path = path
        self.entity = entity
    }

    func result() throws(DaybookError) -> ResolvedExpression {
        let label: ResolvedExpression.Label =
            path.steps.count > 1 || path == .ownId
            ? .path(path) : .property(entity: entity.name, name: path.steps[path.steps.count - 1])
        var result: ResolvedExpression
        switch end {
        case .id:
            result = ResolvedExpression(form: .id, family: .number, type: .uint64, label: label)
        case .relation(let relation):
            result = ResolvedExpression(
                form: .objects(relation), family: .number, type: .uint64, label: label)
        case .column: result = ResolvedExpression(QueryColumn(columns))
        }
        result.relations = relations
        result.label = label
        return result
    }
}

extension ResolvedExpression {
    init(_ column: QueryColumn) {
        self.init(
            form: .column(column), family: ValueFamily(column.type), type: column.type,
            label: .column(column))
    }
}
