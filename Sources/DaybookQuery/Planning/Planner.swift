import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Chooses the cheapest access path for a query, by index counts.
///
/// A path yields a superset of the matching objects; the residual filters it.
final class Planner {
    /// An `or` with more parts than this is evaluated row by row.
    private static let branchCountMax = 1024
    /// The number of keys that may be looked up one by one, however few objects there are.
    private static let spanCountMin = 4096

    let query: QueryRunner
    let access: QueryAccess
    let truth: IndexCompleteness
    /// The indexes that were looked up; few, because queries name few properties.
    private var known: [(entity: UInt32, property: UInt32, indexes: [PlannedIndex])] = []
    private var counts: [UInt32: Int] = [:]
    private var lastNumber = 0

    init(_ query: QueryRunner, _ access: QueryAccess) {
        self.query = query
        self.access = access
        truth = IndexCompleteness(access)
    }

    /// Whether indexes are used regardless of cost.
    var isForced: Bool { if case .indexes = query.hint { true } else { false } }

    func plan(_ reads: QueryReads) throws -> QueryPlan {
        let demand = PlanDemand(query, reads)
        let scan = try scan(query.condition, of: query.entity)
        guard query.hint != .scan else { return QueryPlan(path: scan) }
        let found = try path(to: query.condition, of: query.entity)
        let count = try self.count(of: query.entity)
        var best = scan
        var cost = demand.cost(scan, share: found.map { $0.share(of: count) })
        if let found {
            let other = demand.cost(found, share: nil)
            if isForced || other < cost {
                best = found
                cost = other
            }
        }
        var plan = QueryPlan(path: best)
        if let walk = try walk(reads) {
            let share = found.map { $0.share(of: count) } ?? PlanCost.share(query.condition)
            let other = walk.cost(share: share, count: count, limit: query.needed ?? .max)
            if isForced || other < cost { plan.walk = walk.giving(up: isForced ? nil : cost) }
        }
        return plan
    }

    /// The cheapest path to the ids of all objects that match a condition; a scan if there is no
    /// other.
    func bestPath(to condition: BoundCondition, of entity: UInt32) throws -> AccessPath {
        let scan = try scan(condition, of: entity)
        guard let found = try path(to: condition, of: entity) else { return scan }
        let demand = PlanDemand.allIds
        let isCheaper = demand.cost(found, share: nil) < demand.cost(scan, share: nil)
        return isForced || isCheaper ? found : scan
    }

    /// The cheapest path that is not a scan of all objects; nil if there is none.
    func path(to condition: BoundCondition, of entity: UInt32) throws -> AccessPath? {
        switch condition {
        case .always(true): return nil
        case .always(false): return make(.nothing, entity, condition, estimate: 0, cost: 0)
        case .and(let parts): return try conjunction(parts, of: entity)
        case .or(let parts): return try union(parts, condition, of: entity)
        case .not(.and(let parts)):
            return try union(parts.map { .not($0) }, condition, of: entity)
        case .not(.not(let inner)): return try path(to: inner, of: entity)
        case .not(.always(let isTrue)): return try path(to: .always(!isTrue), of: entity)
        case .not(.or), .not(.column), .column, .words:
            return try conjunction([condition], of: entity)
        case .not: return nil
        case .ids(let ids):
            return make(
                .ids(ids), entity, condition, isLiving: false, estimate: ids.count,
                cost: Double(ids.count) * PlanCost.comparison)
        case .idRange(let range):
            let count = try self.count(of: entity)
            let span = range.upperBound - range.lowerBound
            return make(
                .scan(range), entity, condition,
                estimate: span < UInt64(count) ? Int(span) + 1 : count, cost: 0)
        case .linked(let relation, let inner):
            return try join(relation, inner, condition, of: entity)
        case .elements, .phrase, .compare, .oneOf, .range, .text, .isNull, .behind: return nil
        }
    }

    private func scan(_ condition: BoundCondition, of entity: UInt32) throws -> AccessPath {
        var path = make(
            .scan(0...UInt64.max), entity, .always(true), estimate: try count(of: entity), cost: 0)
        path.residual = condition
        return path
    }

    private func union(
        _ parts: [BoundCondition], _ condition: BoundCondition, of entity: UInt32
    ) throws -> AccessPath? {
        guard parts.count <= Self.branchCountMax else { return nil }
        var paths: [AccessPath] = []
        for part in parts {
            guard let path = try path(to: part, of: entity) else { return nil }
            if case .nothing = path.kind { continue }
            paths.append(path)
        }
        guard !paths.isEmpty else {
            return make(.nothing, entity, condition, estimate: 0, cost: 0)
        }
        let sum = paths.reduce(0) { $0 + $1.estimate }
        var union = make(
            .union(paths), entity, condition, isLiving: paths.allSatisfy(\.isLiving),
            estimate: min(sum, try count(of: entity)),
            cost: paths.reduce(Double(sum) * PlanCost.comparison) { $0 + $1.idsCost })
        if paths.contains(where: { $0.residual != .always(true) }) { union.residual = condition }
        return union
    }

    /// From the objects that match the inner condition, backwards along their links.
    private func join(
        _ relation: QueryRelation, _ inner: BoundCondition, _ condition: BoundCondition,
        of entity: UInt32
    ) throws -> AccessPath? {
        guard relation.relationID != nil else {
            return make(.nothing, entity, condition, estimate: 0, cost: 0)
        }
        let target = try bestPath(to: inner, of: relation.target)
        let targets = Double(target.estimate) * PlanCost.share(target.residual)
        let count = try self.count(of: entity)
        let fan = max(1, Double(count) / Double(max(1, try self.count(of: relation.target))))
        let estimate = min(Double(count), targets * fan)
        return make(
            .join(relation, target), entity, condition,
            estimate: Int(estimate.rounded(.up)),
            cost: PlanDemand.allIds.cost(target, share: nil) + targets * PlanCost.links
                + estimate * PlanCost.entry)
    }

    /// Makes a path without a residual.
    func make(
        _ kind: AccessPath.Kind, _ entity: UInt32, _ condition: BoundCondition,
        isLiving: Bool = true, estimate: Int, cost: Double
    ) -> AccessPath {
        lastNumber += 1
        return AccessPath(
            kind: kind, entity: entity, condition: condition, residual: .always(true),
            isLiving: isLiving, estimate: estimate, cost: cost, number: lastNumber)
    }

    func count(of entity: UInt32) throws -> Int {
        if let known = counts[entity] { return known }
        let count = try access.scope.count(entity)
        counts[entity] = count
        return count
    }

    /// The number of objects with some keys that the index alone does not find.
    func unlistedCount(
        _ spans: [KeySpan], _ entity: UInt32, in planned: PlannedIndex
    ) throws -> Int {
        guard try !truth.isTold(by: planned.index, of: entity) else { return 0 }
        return try access.unlisted(entity, in: planned.index, spans).count
    }

    /// The usable indexes whose first property is one of `properties`. Other indexes are not looked
    /// up, because that would take longer than finding an object.
    func indexes(of entity: UInt32, over properties: [UInt32]) throws -> [PlannedIndex] {
        var allowed: Set<UInt32>?
        switch query.hint {
        case .scan: return []
        case .indexes(let numbers): allowed = numbers
        case .cheapest: break
        }
        var found: [PlannedIndex] = []
        for property in properties {
            let over = try indexes(of: entity, over: property)
            guard let allowed else {
                found += over
                continue
            }
            found += over.filter { allowed.contains($0.index.indexID) }
        }
        return found
    }

    private func indexes(of entity: UInt32, over property: UInt32) throws -> [PlannedIndex] {
        if let found = known.first(where: { $0.entity == entity && $0.property == property }) {
            return found.indexes
        }
        let found = try lookUpIndexes(of: entity, over: property)
        known.append((entity, property, found))
        return found
    }

    private func lookUpIndexes(of entity: UInt32, over property: UInt32) throws -> [PlannedIndex] {
        let indexes = try access.indexes(of: entity, over: property)
        guard !indexes.isEmpty, let layout = access.schemas.schema.currentLayout(ofEntity: entity)
        else { return [] }
        // More lookups than objects never pay.
        let spanCountMax = max(Self.spanCountMin, try count(of: entity))
        return indexes.compactMap { PlannedIndex($0, layout, spanCountMax: spanCountMax) }
    }
}
