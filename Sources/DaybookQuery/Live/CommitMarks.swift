import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Finds the live queries that a range of commits can affect, and collects the objects that each
/// query must evaluate again.
struct CommitMarks {
    /// The queries that changes of an entity can still affect: those whose touches of the entity
    /// are not full.
    private struct Watch {
        /// The queries that each change affects.
        var others: Set<Int>
        /// The queries whose concern depends on the object before and after a change.
        var selective: Set<Int>
        let readers: [RequiredKeys.Group: GroupKeys]
        let isFollowed: Bool
        /// Whether the concern of a query depends on rows, not only on ids and links.
        var needsRows: Bool { isFollowed || readers.values.contains(where: \.areInRows) }
    }

    private let registry: QueryRegistry
    private let access: QueryAccess
    private let idCountMax: Int
    private var watches: [UInt32: Watch] = [:]
    /// The queries that links of a relation can still affect.
    private var linkWatches: [UInt32: Set<Int>] = [:]
    /// The touched objects and links, by query.
    private(set) var touches: [Int: CommitTouches] = [:]

    /// - Parameters:
    ///   - access: the version after the commits.
    ///   - idCountMax: the limit of the ids in each query's touches.
    init(
        _ registry: QueryRegistry, _ access: QueryAccess,
        idCountMax: Int = CommitTouches.idCountMax
    ) {
        self.registry = registry
        self.access = access
        self.idCountMax = idCountMax
    }

    /// Adds the changes of a commit. Ends early when `isCancelled` returns true; the touches are
    /// then incomplete.
    ///
    /// Cost: proportional to the changes that a query watches. The versions before are read in one
    /// pass over the log, which ends when the touches of all queries that need them are full.
    mutating func add(
        _ commit: CommitChanges, isCancelled: () -> Bool = { false }
    ) throws(DaybookError) {
        var selective: [Int] = []
        for (index, change) in commit.objects.enumerated() where change.kind != .event {
            let watch = watch(change.entity)
            for number in watch.others { touch(number, change) }
            guard !watch.selective.isEmpty else { continue }
            if watch.needsRows {
                selective.append(index)
            } else {
                try addSelective(change, .none)
            }
        }
        try addSelective(selective, of: commit, isCancelled)
        for (place, link) in commit.links.enumerated() {
            if place % 1024 == 0, isCancelled() { return }
            try add(link)
        }
    }

    /// Adds objects to the queries whose concern depends on the versions before and after.
    private mutating func addSelective(
        _ wanted: [Int], of commit: CommitChanges, _ isCancelled: () -> Bool
    ) throws(DaybookError) {
        guard !wanted.isEmpty else { return }
        let objects = commit.objects
        var rest = Set(wanted)
        let entities = Set(wanted.lazy.map { objects[$0].entity })
        do throws(DaybookError) {
            try commit.forEachBefore(
                of: wanted,
                isCancelled: {
                    isCancelled() || entities.allSatisfy { watches[$0]?.selective.isEmpty ?? true }
                },
                { index, before throws(DaybookError) in
                    rest.remove(index)
                    try addSelective(objects[index], before)
                })
        } catch  where error.code == .corruption || error.code == .interrupted {
            // Versions that cannot be read may have matched any query.
        }
        guard !isCancelled() else { return }
        for index in rest { try addSelective(objects[index], .gone) }
    }

    private mutating func addSelective(
        _ change: ObjectChange, _ before: CommitChanges.Before
    ) throws(DaybookError) {
        let watch = watch(change.entity)
        guard !watch.selective.isEmpty else { return }
        var numbers = registry.concerned(
            by: change.entity, try keys(watch.readers, change.id, before, change.after))
        if watch.isFollowed {
            numbers.formUnion(
                registry.followers(
                    of: change.entity, change.id, asking: try changed(before, change.after)))
        }
        for number in numbers where watch.selective.contains(number) { touch(number, change) }
    }

    private mutating func touch(_ number: Int, _ change: ObjectChange) {
        touches[number, default: CommitTouches(idCountMax: idCountMax)].add(
            entity: change.entity, id: change.id)
        guard touches[number]?.isFull(entity: change.entity) ?? false else { return }
        watches[change.entity]?.others.remove(number)
        watches[change.entity]?.selective.remove(number)
    }

    private mutating func watch(_ entity: UInt32) -> Watch {
        if let known = watches[entity] { return known }
        var readers: [RequiredKeys.Group: GroupKeys] = [:]
        for group in registry.groups(of: entity) { readers[group] = GroupKeys(group, access) }
        let others = registry.others(of: entity)
        let made = Watch(
            others: others, selective: registry.selective(of: entity).subtracting(others),
            readers: readers, isFollowed: registry.isFollowed(entity))
        watches[entity] = made
        return made
    }

    /// The keys of an object before and after a change; a nil key is unknown.
    private func keys(
        _ readers: [RequiredKeys.Group: GroupKeys], _ id: UInt64,
        _ before: CommitChanges.Before, _ after: StoredRow?
    ) throws(DaybookError) -> [RequiredKeys.Group: [[UInt8]?]] {
        var keys: [RequiredKeys.Group: [[UInt8]?]] = [:]
        for (group, reader) in readers {
            guard reader.areInRows else {
                keys[group] = [try key(ofId: id, reader)]
                continue
            }
            var both: [[UInt8]?] = []
            switch before {
            case .none: break
            case .row(let row): both.append(try key(row, reader))
            case .gone: both.append(nil)
            }
            if let row = after {
                let key = try key(row, reader)
                if !both.contains(key) { both.append(key) }
            }
            keys[group] = both
        }
        return keys
    }

    /// The properties whose values differ; nil if the object was inserted or removed, or if they
    /// are unknown.
    private func changed(
        _ before: CommitChanges.Before, _ after: StoredRow?
    ) throws(DaybookError) -> Set<UInt32>? {
        guard case .row(let row) = before, let after else { return nil }
        return try unlessDamaged { () throws(DaybookError) in
            try access.schemas.changedProperties(row, after)
        }
    }

    private func key(_ row: StoredRow, _ reader: GroupKeys) throws(DaybookError) -> [UInt8]? {
        try unlessDamaged { () throws(DaybookError) in try reader.key(row) } ?? nil
    }

    private func key(
        ofId id: UInt64, _ reader: GroupKeys
    ) throws(DaybookError) -> [UInt8]? {
        try unlessDamaged { () throws(DaybookError) in try reader.key(ofId: id) } ?? nil
    }

    /// Returns nil if the data is damaged. The damage affects a single object, which may then match
    /// any query.
    private func unlessDamaged<Result>(
        _ body: () throws(DaybookError) -> Result
    ) throws(DaybookError) -> Result? {
        do throws(DaybookError) {
            return try body()
        } catch  where error.code == .corruption {
            return nil
        }
    }

    /// Treats an added or removed link as a change of its source object.
    private mutating func add(_ link: LinkChange) throws(DaybookError) {
        let entity = access.schemas.schema.relation(link.relation)?.entityID
        let watching = linkWatch(link.relation, from: entity)
        guard !watching.isEmpty else { return }
        var numbers = registry.following(link.relation)
        if let entity {
            let keys = try keys(of: link, entity)
            numbers.formUnion(registry.concerned(by: entity, keys))
        }
        for number in numbers where watching.contains(number) {
            touches[number, default: CommitTouches(idCountMax: idCountMax)].add(
                relation: link.relation, source: link.source, target: link.target)
            if touches[number]?.isFull(relation: link.relation) ?? false {
                linkWatches[link.relation]?.remove(number)
            }
        }
    }

    private mutating func linkWatch(_ relation: UInt32, from entity: UInt32?) -> Set<Int> {
        if let known = linkWatches[relation] { return known }
        var made = registry.following(relation)
        if let entity {
            made.formUnion(registry.others(of: entity))
            made.formUnion(registry.selective(of: entity))
        }
        linkWatches[relation] = made
        return made
    }

    /// The keys of a link's source, whose own properties the commit did not change.
    private mutating func keys(
        of link: LinkChange, _ entity: UInt32
    ) throws(DaybookError) -> [RequiredKeys.Group: [[UInt8]?]] {
        let readers = watch(entity).readers
        guard !readers.isEmpty else { return [:] }
        let id = link.source
        var keys: [RequiredKeys.Group: [[UInt8]?]] = [:]
        if readers.values.contains(where: \.areInRows) {
            let access = access
            let row = try unlessDamaged { () throws(DaybookError) in
                try access.scope.row(entity, id)
            }
            keys = try self.keys(readers, id, row == nil ? .gone : .none, row ?? nil)
        } else {
            keys = try self.keys(readers, id, .none, nil)
        }
        // The other end of a removed link is no longer the target.
        for case .target(let relation) in readers.keys where relation.relationID == link.relation {
            keys[.target(relation), default: []].append(KeySpan.key(ofId: link.target))
        }
        return keys
    }
}
