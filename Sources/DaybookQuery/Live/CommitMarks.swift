import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Finds the live queries that a range of commits can affect, and collects the objects that each
/// query must evaluate again.
struct CommitMarks {
    private let registry: QueryRegistry
    private let access: QueryAccess
    private var readers: [UInt32: [RequiredKeys.Group: GroupKeys]] = [:]
    /// The touched objects and links, by query.
    private(set) var touches: [Int: CommitTouches] = [:]

    /// - Parameter access: the version after the commits.
    init(_ registry: QueryRegistry, _ access: QueryAccess) {
        self.registry = registry
        self.access = access
    }

    mutating func add(_ commit: CommitChanges) throws(DaybookError) {
        for (index, change) in commit.objects.enumerated() where change.kind != .event {
            let readers = readers(of: change.entity)
            let isFollowed = registry.isFollowed(change.entity)
            var before = CommitChanges.Before.gone
            if !readers.isEmpty || isFollowed {
                before =
                    try unlessDamaged { () throws(DaybookError) in
                        try commit.versionBefore(index)
                    } ?? .gone
            }
            var numbers = registry.concerned(
                by: change.entity, try keys(readers, before, change.after))
            if isFollowed {
                numbers.formUnion(
                    registry.followers(
                        of: change.entity, asking: try changed(before, change.after)))
            }
            for number in numbers {
                touches[number, default: CommitTouches()].add(
                    entity: change.entity, id: change.id)
            }
        }
        for link in commit.links { try add(link) }
    }

    /// The keys of an object before and after a change; a nil key is unknown.
    private func keys(
        _ readers: [RequiredKeys.Group: GroupKeys], _ before: CommitChanges.Before,
        _ after: StoredRow?
    ) throws(DaybookError) -> [RequiredKeys.Group: [[UInt8]?]] {
        var keys: [RequiredKeys.Group: [[UInt8]?]] = [:]
        for (group, reader) in readers {
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
        var numbers = registry.following(link.relation)
        if let entity = access.schemas.schema.relation(link.relation)?.entityID {
            let keys = try keys(of: link.source, entity)
            numbers.formUnion(registry.concerned(by: entity, keys))
        }
        for number in numbers {
            touches[number, default: CommitTouches()].add(
                relation: link.relation, source: link.source, target: link.target)
        }
    }

    /// The keys of an object whose own properties the commit did not change.
    private mutating func keys(
        of id: UInt64, _ entity: UInt32
    ) throws(DaybookError) -> [RequiredKeys.Group: [[UInt8]?]] {
        let readers = readers(of: entity)
        guard !readers.isEmpty else { return [:] }
        let access = access
        let row = try unlessDamaged { () throws(DaybookError) in try access.scope.row(entity, id) }
        guard let row else { return readers.mapValues { _ in [nil] } }
        return try keys(readers, .none, row)
    }

    private mutating func readers(of entity: UInt32) -> [RequiredKeys.Group: GroupKeys] {
        if let known = readers[entity] { return known }
        var made: [RequiredKeys.Group: GroupKeys] = [:]
        for group in registry.groups(of: entity) { made[group] = GroupKeys(group, access) }
        readers[entity] = made
        return made
    }
}
