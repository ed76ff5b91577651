package import DaybookBytes
package import DaybookRecords
import Synchronization

/// The current schema and the row layouts that are derived from it. It only grows.
package final class SchemaTable: Sendable {
    private struct State {
        var schema: Schema
        var rowLayouts: [UInt32: RowLayout] = [:]
        /// The kinds of entities and their index plans; nil for an entity without indexes.
        var traits: [UInt32: (kind: EntityKind, plan: IndexPlan?)] = [:]
        /// The program's rules for its relations.
        var rules: [UInt32: RemovalRules] = [:]
        /// The relations of an entity's objects, from both ends.
        var ends: [UInt32: [RelationEnd]] = [:]

        mutating func rowLayout(_ id: UInt32) -> RowLayout? {
            if let known = rowLayouts[id] { return known }
            guard let layout = schema.layout(id) else { return nil }
            let made = RowLayout(layout)
            rowLayouts[id] = made
            return made
        }
    }

    private let state: Mutex<State>
    // Most stores have none of these and need no lookup.
    private let someTraits = Atomic(false)
    private let someUndeclared = Atomic(false)
    private let someRelations = Atomic(false)

    package init(_ schema: Schema) {
        state = Mutex(State(schema: schema))
        note(schema.layouts)
    }

    private func note(_ layouts: [EntityLayout]) {
        if layouts.contains(where: { $0.kind != .object || !$0.indexes.isEmpty }) {
            someTraits.store(true, ordering: .releasing)
        }
        if layouts.contains(where: { $0.fields.contains(where: \.isUndeclared) }) {
            someUndeclared.store(true, ordering: .releasing)
        }
        if layouts.contains(where: { $0.fields.contains { $0.relation != nil } }) {
            someRelations.store(true, ordering: .releasing)
        }
    }

    /// Whether the schema has any relation.
    var hasRelations: Bool { someRelations.load(ordering: .acquiring) }

    /// The relations of an entity's objects, from both ends.
    func ends(of entity: UInt32) -> [RelationEnd] {
        state.withLock { state in
            if let known = state.ends[entity] { return known }
            func end(_ relation: Schema.Relation, isBackward: Bool) -> RelationEnd {
                RelationEnd(
                    relation: relation, isBackward: isBackward,
                    rules: state.rules[relation.relationID] ?? RemovalRules())
            }
            let ends =
                state.schema.relations(from: entity).map { end($0, isBackward: false) }
                + state.schema.relations(to: entity).map { end($0, isBackward: true) }
            state.ends[entity] = ends
            return ends
        }
    }

    /// The relation with this number, or nil.
    package func relation(_ id: UInt32) -> Schema.Relation? {
        state.withLock { $0.schema.relation(id) }
    }

    /// Sets a program's rules for relations.
    func note(_ rules: [UInt32: RemovalRules]) {
        state.withLock { state in
            state.rules.merge(rules) { $1 }
            state.ends = [:]
        }
    }

    /// Whether any entity has indexes or is not an entity of objects.
    var hasTraits: Bool { someTraits.load(ordering: .acquiring) }

    /// Whether any layout has properties that the program does not declare.
    var hasUndeclaredFields: Bool { someUndeclared.load(ordering: .acquiring) }

    /// The kind of an entity and its indexes. Costs almost nothing if no entity has special traits.
    func traits(of entity: UInt32) -> (kind: EntityKind, plan: IndexPlan?) {
        guard hasTraits else { return (.object, nil) }
        return state.withLock { state in
            if let known = state.traits[entity] { return known }
            let kind = state.schema.currentLayout(ofEntity: entity)?.kind ?? .object
            // Commits and replays refuse layouts whose indexes cannot be built.
            let plan = (try? state.schema.indexPlan(entity)) ?? nil
            state.traits[entity] = (kind, plan)
            return (kind, plan)
        }
    }

    /// The current schema.
    package var schema: Schema { state.withLock { $0.schema } }

    /// The row layout with this number, or nil if no committed layout has it.
    func knownRowLayout(_ id: UInt32) -> RowLayout? {
        state.withLock { $0.rowLayout(id) }
    }

    /// The row layout with this number. Throws `.corruption` if the log never defined it.
    package func rowLayout(_ id: UInt32) throws(DaybookError) -> RowLayout {
        guard let found = knownRowLayout(id) else { throw Self.unknownLayout(id) }
        return found
    }

    static func unknownLayout(_ id: UInt32) -> DaybookError {
        DaybookError(
            .corruption, "A row names layout \(id), which the log does not define.",
            details: ["layout": String(id)])
    }

    /// Adds layouts of the log, all or none. Throws `.corruption` if they contradict each other or
    /// the known layouts.
    package func add(_ layouts: [EntityLayout]) throws(DaybookError) {
        guard !layouts.isEmpty else { return }
        try state.withLock { state throws(DaybookError) in
            state.schema = try state.schema.adding(layouts)
            state.traits = [:]
            state.ends = [:]
        }
        note(layouts)
    }

    /// Throws `.corruption` if ``add(_:)`` would, and `.schemaMismatch` for an index over a
    /// property without an order.
    func check(_ layouts: [EntityLayout]) throws(DaybookError) {
        guard !layouts.isEmpty else { return }
        _ = try schema.adding(layouts)
        for layout in layouts { _ = try IndexPlan(layout) }
    }
}

extension Schema {
    fileprivate func adding(_ layouts: [EntityLayout]) throws(DaybookError) -> Schema {
        var schema = self
        for layout in layouts { try schema.add(layout) }
        return schema
    }
}
