package import DaybookBytes
import DaybookEngine
import DaybookRecords

/// A subscriber that is notified of each commit that touches some entities.
package struct LiveObserver: Sendable {
    /// A notification of the subscriber.
    package enum Notice: Sendable {
        /// The commit with this sequence touches an entity. If the touched entities are unknown, a
        /// version that contains all of the commits in question.
        case commit(UInt64)
        /// The log cannot be read. There are no more notices.
        case failure(DaybookError)
        /// The store is closed, or is closing. There are no more notices.
        case end
    }

    /// The entities; nil for all.
    let entities: Set<UInt32>?
    /// Whether the links to the objects of the entities count, too.
    let includesTargets: Bool
    /// The newest version at registration. Commits up to it are not reported.
    let start: UInt64
    let tell: @Sendable (Notice) -> Void
    /// Reads the data of the last report before the store closes.
    let finish: @Sendable () -> Void

    func isConcerned(by touched: TouchedEntities) -> Bool {
        guard let entities else { return !touched.changed.isEmpty }
        return !entities.isDisjoint(with: touched.changed)
            || includesTargets && !entities.isDisjoint(with: touched.targets)
    }
}

/// The entities that a commit touches.
struct TouchedEntities {
    /// The entities with changed objects, or with changed links from them.
    private(set) var changed: Set<UInt32> = []
    /// The entities with changed links to their objects.
    private(set) var targets: Set<UInt32> = []

    init(_ commit: CommitChanges, _ schema: Schema) {
        for change in commit.objects where change.kind != .event { changed.insert(change.entity) }
        for link in commit.links {
            guard let relation = schema.relation(link.relation) else { continue }
            changed.insert(relation.entityID)
            targets.insert(relation.targetEntityID)
        }
    }
}
