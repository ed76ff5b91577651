import Daybook

extension BrowsedStore {
    /// The most versions that are in memory at a time, with their rows.
    private static let versionsMax = 200

    /// A page of the versions of an object, newest first. Finds its place from the newest version.
    func history(
        of entityName: String, id: UInt64, limit: Int, before: UInt64?
    ) throws -> HistoryPage {
        let partCount = before == nil ? limit : Self.versionsMax
        var part = try store.rows(of: entityName).history(of: id, limit: partCount)
        var versions: [RowVersion] = []
        while true {
            versions += part.filter { version in before.map { version.sequence < $0 } ?? true }
            guard versions.count < limit, part.hasOlder else { break }
            part = try part.older(limit: partCount)
        }
        let hasMore = versions.count > limit || part.hasOlder
        let shown = versions.prefix(limit)
        return HistoryPage(
            versions: try shown.map { try VersionDescription($0, among: shown.count) },
            next: hasMore ? shown.last?.sequence : nil, isTruncated: part.isTruncated)
    }

    /// A page of commits, newest first. With a kind, only commits with such changes; `put` is an
    /// insert or an update.
    func commits(
        before: UInt64?, limit: Int, entityName: String?, author: String?, kind: String?
    ) throws -> CommitPage {
        let page = try store.commits(
            before: before, limit: limit, of: entityName,
            metadata: author.map { ["author": $0] } ?? [:])
        let lines = page.commits.map { CommitLine($0) }
        return CommitPage(
            commits: kind.map { kind in
                let kinds = kind == "put" ? ["insert", "update"] : [kind]
                return lines.filter { $0.counts.contains { kinds.contains($0.kind) } }
            } ?? lines,
            next: page.next)
    }

    /// A commit with its first changes.
    func commit(_ sequence: UInt64, limit: Int) throws -> CommitDescription {
        guard let commit = try store.commit(sequence, changeLimit: limit),
            let summary = try store.commits(before: sequence + 1, limit: 1).commits.first,
            summary.sequence == sequence
        else { throw RequestProblem.notFound("The store has no commit \(sequence).") }
        return CommitDescription(
            commit: CommitLine(summary),
            objects: try commit.changes.map { change in
                ObjectChangeDescription(
                    try change.rows(), kind: change.kind.rawValue, among: commit.changes.count)
            },
            links: commit.links.map { LinkChangeDescription($0) }, hasMore: commit.hasMoreChanges)
    }

    /// The differences of an entity between two moments.
    func compare(
        _ entityName: String, from: UInt64, to: UInt64?, limit: Int
    ) throws -> Comparison {
        let (old, new) = (try view(at: from), try view(at: to))
        var found = Comparison(
            inserted: 0, updated: 0, removed: 0, objects: [], hasMore: false)
        try new.forEachRowChange(of: entityName, since: old) { change in
            let kind: String
            switch (change.before, change.after) {
            case (nil, _):
                found.inserted += 1
                kind = "insert"
            case (_, nil):
                found.removed += 1
                kind = "remove"
            default:
                guard !change.changedNames.isEmpty else { return true }
                found.updated += 1
                kind = "update"
            }
            if found.objects.count < limit {
                found.objects.append(ObjectChangeDescription(change, kind: kind, among: limit))
            } else {
                found.hasMore = true
            }
            return true
        }
        return found
    }
}

extension VersionDescription {
    init(_ version: RowVersion, among count: Int) throws {
        let change = try version.change
        self.init(
            commit: CommitLine(
                sequence: version.sequence, microseconds: version.date.microseconds,
                version.metadata, counts: []),
            kind: change.after == nil
                ? "remove" : change.before == nil && !change.isBeforeGone ? "insert" : "update",
            changes: ValueChange.changes(change, among: count))
    }
}

extension ValueChange {
    /// The properties whose values differ. `count` is the number of changed objects in the answer.
    static func changes(_ change: RowChange, among count: Int) -> [ValueChange] {
        let names = change.changedNames
        let bytesMax = ShownValue.bytesMax(
            ShownValue.changeBytesMax, count: 2 * names.count * count)
        return names.map { name in
            func shown(_ row: AnyRow?) -> ShownValue? {
                row?[name].map { ShownValue($0, bytesMax: bytesMax) }
            }
            return ValueChange(
                name: name, before: shown(change.before), after: shown(change.after))
        }
    }
}

extension ObjectChangeDescription {
    init(_ change: RowChange, kind: String, among count: Int) {
        self.init(
            entity: change.entityName, id: String(change.id), kind: kind,
            changes: ValueChange.changes(change, among: count))
    }
}

extension LinkChangeDescription {
    init(_ change: LinkChanged) {
        self.init(
            relation: change.relation, isAdded: change.isLink, sourceEntity: change.sourceEntity,
            source: String(change.source), targetEntity: change.targetEntity,
            target: String(change.target))
    }
}

extension CommitLine {
    init(
        sequence: UInt64, microseconds: Int64, _ metadata: CommitMetadata, counts: [ChangeCount]
    ) {
        var others = metadata.pairs
        others["author"] = nil
        self.init(
            sequence: sequence, microseconds: microseconds, author: metadata.author,
            metadata: others.sorted { $0.key < $1.key }
                .map { MetadataEntry(key: $0.key, value: $0.value) },
            counts: counts)
    }

    init(_ commit: CommitSummary) {
        var counts = commit.objects.map {
            ChangeCount(name: $0.entityName, kind: $0.kind.rawValue, count: $0.count)
        }
        for link in commit.links {
            for (kind, count) in [("link", link.addedCount), ("unlink", link.removedCount)]
            where count > 0 {
                counts.append(ChangeCount(name: link.relation, kind: kind, count: count))
            }
        }
        self.init(
            sequence: commit.sequence, microseconds: commit.date.microseconds, commit.metadata,
            counts: counts)
    }
}
