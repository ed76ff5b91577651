import DaybookRecords

// The description of a run.
extension QueryRun {
    private typealias Step = ExplainedQuery.Step

    private var names: ConditionText { ConditionText(query.model) }

    /// The steps, the last one outermost. Includes the actual counts if the query was run.
    func explanation(found: Int?) -> ExplainedQuery.Step {
        let isRun = found != nil
        var step = plan.walk.map { walkStep($0, isRun) } ?? step(plan.path, isRun, isInside: false)
        if let nearestRun { step = self.step(nearestRun, isRun) }
        if !query.distinct.isEmpty {
            step = around("distinct by \(text(query.distinct))", step)
        }
        if plan.walk == nil, !query.isInOrderOfIds {
            step = around("sort by \(text(query.orders))", step)
        }
        if query.definition.offset > 0 {
            step = around("offset \(query.definition.offset)", step)
        }
        if let limit = query.definition.limit { step = around("limit \(limit)", step) }
        if let found, query.definition.limit != nil || query.definition.offset > 0 {
            step.actual = found
        }
        return step
    }

    private func step(_ nearest: NearestRun, _ isRun: Bool) -> Step {
        var step = Step(nearest.text)
        step.index = nearest.column
        if isRun { step.actual = nearest.neighbors.count }
        if let filter = nearest.filter { step.steps = [Step("filter \(names.text(filter))")] }
        return step
    }

    private func around(_ text: String, _ inner: Step) -> Step {
        var step = Step(text)
        step.steps = [inner]
        return step
    }

    private func walkStep(_ walk: OrderScan, _ isRun: Bool) -> Step {
        var step = Step(
            "index order \(entityName(walk.entity)).\(columns(of: walk.index, walk.entity))")
        step.index = columns(of: walk.index, walk.entity)
        if isRun { step.actual = counts[walk.number] }
        guard walk.residual != .always(true) else { return step }
        return around("filter \(names.text(walk.residual))", step)
    }

    /// - Parameter isInside: whether the path is part of another one, which evaluates the residual.
    private func step(_ path: AccessPath, _ isRun: Bool, isInside: Bool) -> Step {
        var step = Step(text(path))
        step.estimate = path.estimate
        switch path.kind {
        case .keys(let index, _, _), .hashes(let index, _):
            step.index = columns(of: index, path.entity)
        case .intersection(let paths), .union(let paths):
            step.steps = paths.map { self.step($0, isRun, isInside: true) }
        case .join(_, let target): step.steps = [self.step(target, isRun, isInside: false)]
        case .scan(0...UInt64.max): step.scannedEntity = entityName(path.entity)
        case .nothing, .scan, .ids: break
        }
        let actual = isRun ? counts[path.number] ?? 0 : nil
        guard !isInside, path.residual != .always(true) else {
            step.actual = actual
            return step
        }
        var filter = around("filter \(names.text(path.residual))", step)
        filter.actual = actual
        return filter
    }

    private func text(_ path: AccessPath) -> String {
        let entity = entityName(path.entity)
        switch path.kind {
        case .nothing: return "nothing"
        case .scan(0...UInt64.max): return "scan \(entity)"
        case .scan(let ids): return "scan \(entity) from \(ids.lowerBound) to \(ids.upperBound)"
        case .ids: return "ids of \(entity)"
        case .keys(let index, _, let use):
            return "index \(use.rawValue) \(entity).\(columns(of: index, path.entity))"
        case .hashes(let index, _):
            return "index hash \(entity).\(columns(of: index, path.entity))"
        case .intersection: return "intersect"
        case .union: return "union"
        case .join(let relation, _): return "join \(entity).\(relation.name)"
        }
    }

    private func entityName(_ entity: UInt32) -> String {
        query.model.entities[entity]?.name ?? "entity \(entity)"
    }

    private func columns(of index: IndexPlan.Index, _ entity: UInt32) -> String {
        index.definition.propertyIDs.map { number in
            query.model.name(of: number, in: entity)
        }.joined(separator: ", ")
    }

    private func text(_ orders: [BoundOrder]) -> String {
        orders.map { names.text($0) }.joined(separator: ", ")
    }
}

extension QueryModel {
    /// The name of a property, for descriptions.
    func name(of propertyID: UInt32, in entity: UInt32) -> String {
        for (name, member) in entities[entity]?.members ?? [:] {
            if case .property(let property) = member, property.propertyID == propertyID {
                return name
            }
        }
        return "property \(propertyID)"
    }
}
