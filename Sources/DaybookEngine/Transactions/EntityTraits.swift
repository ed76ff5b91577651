import DaybookBytes
import DaybookRecords

/// The properties of an entity that decide how its rows are put.
struct EntityTraits {
    private(set) var kind = EntityKind.object
    private(set) var isIndexed = false
    private(set) var hasUniqueIndexes = false
    /// Whether rows may be put without checks. Stored, because each put reads it.
    private(set) var isPlain = true

    init() {}

    init(kind: EntityKind, isIndexed: Bool, hasUniqueIndexes: Bool, hasVectors: Bool) {
        self.kind = kind
        self.isIndexed = isIndexed
        self.hasUniqueIndexes = hasUniqueIndexes
        isPlain = kind == .object && !hasUniqueIndexes && !hasVectors
    }
}

extension PendingChanges {
    /// The traits of an entity in the state of this transaction. Also creates the entity's key
    /// reader.
    mutating func traits(of entity: UInt32) -> EntityTraits {
        guard engine.schemas.hasTraits || !layouts.isEmpty || hasIndexes else {
            return EntityTraits()
        }
        guard let layout = layouts.last(where: { $0.entityID == entity }) else {
            let (kind, plan) = engine.schemas.traits(of: entity)
            return traits(kind, plan.map { KeyReader($0, unread: unread(of: $0)) }, entity)
        }
        let kept = engine.trees.withLock { $0.applied.indexes }
        // Defining the layout has checked it.
        let plan = layout.indexes.isEmpty ? nil : try? IndexPlan(layout)
        return traits(
            layout.kind,
            plan.map { plan in
                KeyReader(plan, unread: unread(of: plan)) { kept[$0.indexID] != nil }
            }, entity)
    }

    private func unread(of plan: IndexPlan) -> Set<UInt64> {
        engine.trees.withLock { state in
            var unread: Set<UInt64> = []
            for index in plan.indexes {
                guard let ids = state.applied.indexes[index.indexID]?.unread, !ids.isEmpty else {
                    continue
                }
                unread.formUnion(ids)
            }
            return unread
        }
    }

    private mutating func traits(
        _ kind: EntityKind, _ reader: KeyReader?, _ entity: UInt32
    ) -> EntityTraits {
        keyReaders[entity] = reader
        return EntityTraits(
            kind: kind, isIndexed: reader != nil,
            hasUniqueIndexes: reader.map { !$0.uniqueIndexes.isEmpty } ?? false,
            hasVectors: reader?.plan.indexes.contains { $0.definition.kind == .vector } ?? false)
    }

    /// Throws `.invalidArgument` for an entity without objects.
    func requireObjects(_ entity: UInt32) throws(DaybookError) {
        let kind = kind(of: entity)
        guard kind != .object else { return }
        throw DaybookError(
            .invalidArgument,
            kind == .event
                ? "\(name(of: entity)) is an event: events are appended, and never changed."
                : "\(name(of: entity)) is embedded: its values are stored inside other objects.",
            details: ["entity": name(of: entity)])
    }

    /// Throws `.invalidArgument` for an entity without events.
    func requireEvents(_ entity: UInt32) throws(DaybookError) {
        guard kind(of: entity) != .event else { return }
        throw DaybookError(
            .invalidArgument,
            "\(name(of: entity)) is not an event. Put its objects, or declare it as an event.",
            details: ["entity": name(of: entity)])
    }

    private func kind(of entity: UInt32) -> EntityKind {
        layouts.last { $0.entityID == entity }?.kind ?? engine.schemas.traits(of: entity).kind
    }

    private func name(of entity: UInt32) -> String {
        layouts.last { $0.entityID == entity }?.entityName
            ?? engine.schemas.schema.entity(entity)?.name ?? "Entity \(entity)"
    }
}
