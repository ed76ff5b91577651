import DaybookBytes
import DaybookRecords

/// Returns a version of the store as if it was written by one commit, in parts of bounded size: the
/// objects by entity and id, then the links. The last part has a different resume position.
struct StateIterator {
    private let view: ReadView
    private let commit: CommitRecord
    private let resumeSequence: UInt64
    private let lookup: VersionLookup
    private var entities: [UInt32]
    private var scan: RowScan?
    private var relations: [Schema.Relation]
    /// The sources of the relation whose links are being returned.
    private var sources: RowScan?
    private var isOver = false

    /// The maximum number of objects in a part. A part with links always contains all links of its
    /// last source, so it may exceed this number.
    private static let partCount = 1000

    /// - Parameter resumeSequence: the position from which a reader resumes that stops before the
    ///   last part.
    init(
        _ view: ReadView, _ commit: CommitRecord, _ schema: Schema, _ filter: EntityFilter?,
        resumeSequence: UInt64, _ lookup: VersionLookup
    ) {
        self.view = view
        self.commit = commit
        self.resumeSequence = resumeSequence
        self.lookup = lookup
        func isWanted(_ entity: UInt32) -> Bool { filter?.entities.contains(entity) ?? true }
        entities = schema.entities.map(\.id).filter(isWanted).reversed()
        relations = schema.entities.flatMap { schema.relations(from: $0.id) }
            .filter { isWanted($0.entityID) || isWanted($0.targetEntityID) }.reversed()
    }

    /// Returns the next part; nil after the last.
    mutating func next() throws(DaybookError) -> CommitChanges? {
        guard !isOver else { return nil }
        let objects = try nextObjects()
        let links = objects.isEmpty ? try nextLinks() : []
        isOver = objects.isEmpty && links.isEmpty
        return CommitChanges(
            commit, objects: objects, links: links,
            resumeSequence: isOver ? commit.sequence : resumeSequence, isState: true,
            lookup: lookup)
    }

    private mutating func nextObjects() throws(DaybookError) -> [ObjectChange] {
        var found: [ObjectChange] = []
        while found.count < Self.partCount, let entity = entities.last {
            if scan == nil { scan = view.scan(entity) }
            guard let row = try scan?.next() else {
                scan = nil
                entities.removeLast()
                continue
            }
            found.append(
                ObjectChange(kind: .insert, entity: entity, id: row.id, after: row, previous: 0))
        }
        return found
    }

    private mutating func nextLinks() throws(DaybookError) -> [LinkChange] {
        var found: [LinkChange] = []
        while found.count < Self.partCount, let relation = relations.last {
            if sources == nil { sources = view.scan(relation.entityID) }
            guard let source = try sources?.next() else {
                sources = nil
                relations.removeLast()
                continue
            }
            found += try links(of: relation, source.id)
        }
        return found
    }

    private func links(
        of relation: Schema.Relation, _ source: UInt64
    ) throws(DaybookError) -> [LinkChange] {
        let number = relation.relationID
        guard !relation.type.hasPositions else {
            return try view.list(number, source).map { element in
                LinkChange(
                    isLink: true, relation: number, source: source, target: element.target,
                    position: element.position)
            }
        }
        let end = LinkEnd(relation, isBackward: false, id: source)
        return try view.links(of: end).map { target in
            LinkChange(isLink: true, relation: number, source: source, target: target)
        }
    }
}

extension Engine {
    /// Returns the newest version and its commit, and makes it durable first, with a sync if
    /// needed.
    func durableView() throws(DaybookError) -> (ReadView, CommitRecord) {
        try requireOpen()
        let view = ReadView(slot.pinVersion(), log)
        let sequence = try view.sequence
        try log.durability?.wait(for: sequence)
        publication.tell()
        let time = trees.withLock { $0.lastTimeMicroseconds }
        return (view, CommitRecord(sequence: sequence, timeMicroseconds: Int64(clamping: time)))
    }
}
