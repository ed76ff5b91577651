import Daybook
import Foundation

/// A store that the page shows. Every function answers one request.
///
/// The functions block while they read; the server calls them on threads of a pool.
struct BrowsedStore: Sendable {
    let store: Store
    let path: String
    let allowsWrites: Bool

    /// The version at a sequence, or the newest one.
    func view(at sequence: UInt64?) throws -> StoreView {
        try sequence.map { try store.view(at: .sequence($0)) } ?? store.view()
    }

    func description() throws -> StoreDescription {
        let floor = store.historyFloor
        return StoreDescription(
            path: path,
            identity: String(store.position.description.prefix { $0 != ":" }),
            newest: try newest(), oldest: try commit(atOrBefore: max(1, floor)),
            historyFloor: floor, allowsWrites: allowsWrites,
            entities: try schema(at: nil))
    }

    /// The newest layouts, with the counts of a moment.
    func schema(at sequence: UInt64?) throws -> [EntityDescription] {
        let view = try view(at: sequence)
        return try store.schema.entities.map { entity in
            let count = entity.kind == .object ? try view.rows(of: entity.name).count() : nil
            return EntityDescription(entity, count: count.map { UInt64($0) })
        }
    }

    /// The last commit at or before a moment. Throws a ``RequestProblem`` if there is none.
    func moment(_ moment: HistoryMoment) throws -> Moment {
        let sequence = try store.sequence(at: moment)
        guard let found = try commit(atOrBefore: sequence) else {
            throw RequestProblem.notFound("The store has no commit at that time.")
        }
        return found
    }

    /// The newest commit; nil in an empty store.
    func newest() throws -> Moment? { try store.commits(limit: 1).commits.first.map { Moment($0) } }

    private func commit(atOrBefore sequence: UInt64) throws -> Moment? {
        try store.commits(before: sequence + 1, limit: 1).commits.first.map { Moment($0) }
    }
}

extension Moment {
    init(_ commit: CommitSummary) {
        self.init(sequence: commit.sequence, microseconds: commit.date.microseconds)
    }
}

extension Date {
    /// The time in microseconds since 1970, as commits have it.
    var microseconds: Int64 {
        let exact = (timeIntervalSince1970 * 1_000_000).rounded()
        return Int64(exactly: exact) ?? (exact < 0 ? .min : .max)
    }
}

extension EntityDescription {
    init(_ entity: StoreSchema.Entity, count: UInt64?) {
        self.init(
            name: entity.name, kind: entity.kind.rawValue, count: count,
            properties: entity.properties.map {
                PropertyDescription(
                    name: $0.name, type: $0.type.description, isOptional: $0.isOptional)
            },
            relations: entity.relations.map {
                RelationDescription(name: $0.name, kind: $0.kind.rawValue, target: $0.target)
            },
            backlinks: entity.backlinks.map {
                BacklinkDescription(entity: $0.entity, relation: $0.relation)
            },
            indexes: entity.indexes.map {
                IndexDescription(
                    properties: $0.properties, kind: $0.kind.rawValue, isUnique: $0.isUnique)
            },
            primaryKey: entity.primaryKey.isEmpty ? nil : entity.primaryKey)
    }
}
