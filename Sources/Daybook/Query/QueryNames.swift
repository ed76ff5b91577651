import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookQuery
import Synchronization

/// Resolves the Swift names of properties, relations and backlinks in conditions. Computed once; in
/// a store that is opened read-only, once for each schema.
final class QueryNames: Sendable {
    private let bindings: [ObjectIdentifier: EntityBinding]
    private let known = Mutex<(layoutCount: Int, model: QueryModel)?>(nil)

    init(_ bindings: [ObjectIdentifier: EntityBinding]) { self.bindings = bindings }

    /// The model of the current schema. Throws `.schemaMismatch` if a writer changed the schema of
    /// a read-only store in a way that is incompatible with this program.
    func model() throws(DaybookError) -> QueryModel {
        let following = bindings.values.first { $0.isFollowing }
        let layoutCount = following?.engine.schemas.schema.layouts.count ?? 0
        if let known = known.withLock({ $0?.layoutCount == layoutCount ? $0 : nil }) {
            return known.model
        }
        let model = try made()
        known.withLock { $0 = (layoutCount, model) }
        return model
    }

    private func made() throws(DaybookError) -> QueryModel {
        let numbers = Dictionary(
            bindings.values.map { ($0.name, $0.entity) }, uniquingKeysWith: { first, _ in first })
        var entities: [QueryModel.Entity] = []
        for binding in bindings.values {
            entities.append(
                QueryModel.Entity(
                    name: binding.name, entity: binding.entity,
                    members: try members(of: binding, numbers)))
        }
        return QueryModel(entities)
    }

    private func members(
        of binding: EntityBinding, _ numbers: [String: UInt32]
    ) throws(DaybookError) -> [String: QueryModel.Member] {
        var members: [String: QueryModel.Member] = [PropertyPath.id: .id]
        let layout = try binding.currentLayout()
        for (name, field) in zip(binding.declaredNames, layout.fields)
        where !field.type.isRelation {
            members[name] = .property(
                QueryProperty(
                    name: name, propertyID: field.propertyID, entity: binding.entity,
                    shape: field.shape,
                    embeddedEntity: numbers[field.shape.innermostEntityName]))
        }
        for (place, relation) in binding.relations {
            var name = relation.name
            if case .field(let index) = place { name = binding.declaredNames[index] }
            guard let target = bindings[ObjectIdentifier(relation.target)]?.entity else { continue }
            members[name] = .relation(
                QueryRelation(
                    name: name, relationID: try relation.number(),
                    isBackward: relation.isBackward,
                    isToOne: relation.type == .toOne && !relation.isBackward,
                    isList: relation.type.hasPositions, target: target))
        }
        return members
    }
}

extension ValueShape {
    /// The name of the embedded type, which may be the element type of a collection.
    fileprivate var innermostEntityName: String { element?.innermostEntityName ?? entityName }
}

extension StoreTypes {
    /// Calls `body` with access to the version that this thread sees, or to the view's version.
    func query<Result>(_ body: (QueryAccess) throws -> Result) throws -> Result {
        guard let view else { return try engine.query(body) }
        guard engine.isOpen else { throw Self.closed }
        return try body(QueryAccess(view, engine.schemas, events: engine.events))
    }
}
