import DaybookBytes
import DaybookRecords
import DaybookLog

/// The contents of the log that an undo needs: the changes of the commits to undo, and the later
/// commits that changed the same objects or links.
///
/// Memory: the rows before and after of each object that the commits changed. For later changes,
/// only the touched fields and links and the sequences.
struct UndoHistory {
    struct Object: Hashable {
        var entity: UInt32
        var id: UInt64
    }

    /// The combined effect of the undone commits on an object.
    struct ObjectEffect {
        /// The commit that wrote the preceding version; 0 if there is none.
        var previous: UInt64
        /// The row before the undone commits; nil if the object did not exist.
        var before: StoredRow?
        var after: StoredRow?
        /// The newest row of the object that was read so far.
        var newest: StoredRow?
        /// The row before a removal; nil after the object was inserted again.
        var removed: StoredRow?
        var later: [LaterChange] = []
    }

    /// The combined effect of the undone commits on a link.
    struct LinkEffect {
        var wasThere: Bool
        var isThere: Bool
    }

    struct LaterLink {
        var sequence: UInt64
        var link: ListEntry
        var isLink: Bool
    }

    /// A source of a relation. The links of a to-one source, and those of a list, depend on each
    /// other.
    struct Source: Hashable {
        var relation: UInt32
        var id: UInt64
    }

    let engine: Engine
    let range: ClosedRange<UInt64>
    /// The last commit that was read.
    private(set) var last: UInt64
    /// Whether the only undone commit is an undo itself.
    private(set) var isOfUndo = false
    /// Whether any of the undone commits is an undo.
    private(set) var hasUndos = false
    private(set) var objects: [Object: ObjectEffect] = [:]
    private(set) var objectOrder: [Object] = []
    private(set) var links: [ListEntry: LinkEffect] = [:]
    private(set) var linkOrder: [ListEntry] = []
    private(set) var eventCount = 0
    private(set) var laterLinks: [LaterLink] = []
    /// The removals and reinsertions of objects at the ends of undone links.
    private(set) var laterAbsences: [Object: [LaterChange]] = [:]
    /// The later commits that undid some of the same commits.
    private(set) var ownUndos: Set<UInt64> = []
    /// The layouts that the undone commits or later ones defined.
    private(set) var laterLayouts: Set<UInt32> = []
    private var ends: Set<Object> = []
    private var sources: Set<Source> = []
    /// The ends of undone links whose object a rule removes with its last link.
    private var owned: Set<LinkEnd> = []
    /// Whether an undone link may influence the effects of rules. Then all lost owners are
    /// relevant.
    private var hasRules = false
    var cancellation = UndoCancellation()
    var comparison: RowComparison

    /// Creates a history that has read nothing yet. Throws `.historyTruncated` if a compaction may
    /// have dropped the preceding rows, and `.invalidArgument` if a commit does not exist.
    init(_ engine: Engine, _ range: ClosedRange<UInt64>) throws(DaybookError) {
        self.engine = engine
        self.range = range
        comparison = RowComparison(engine.schemas)
        last = max(1, range.lowerBound) - 1
        let newest = engine.log.lastSequence
        guard range.lowerBound > 0, range.upperBound <= newest else {
            throw Self.unknown(range, newest)
        }
        try requireWhole()
    }

    /// Throws `.historyTruncated` if a compaction has dropped part of the history since.
    private func requireWhole() throws(DaybookError) {
        let floor = engine.historyFloor
        guard floor == 0 || range.lowerBound > floor else { throw Self.truncated(range, floor) }
    }

    /// Reads the commits since the last call. Cost: a read of the log from the first undone commit,
    /// or from the end of the last call; the first call also looks up the preceding rows.
    mutating func catchUp() throws(DaybookError) {
        let newest = engine.log.lastSequence
        guard last < newest else { return }
        var transactions = LogTransactions(
            LogFrames(
                try engine.log.scan(fromSequence: last + 1), after: last, until: newest),
            AcceptedRecords { EventKind($0.kind) != nil || $0.kind == .schema })
        while let transaction = try transactions.next() {
            try read(transaction.commit, transaction.contents.records)
            last = transaction.commit.sequence
        }
        try requireWhole()
    }

    private mutating func read(
        _ commit: CommitRecord, _ records: [LogRecord]
    ) throws(DaybookError) {
        if commit.sequence <= range.upperBound {
            for held in records { try note(undone: held) }
            if range.lowerBound == range.upperBound {
                isOfUndo = UndoNote.isUndo(commit.metadata)
            }
            hasUndos = hasUndos || UndoNote.isUndo(commit.metadata)
            if commit.sequence == range.upperBound { try finishUndone() }
        } else {
            cancellation.note(commit)
            let undone = UndoNote.targets(commit.metadata)
            if undone.contains(where: { $0.overlaps(range) }) { ownUndos.insert(commit.sequence) }
            let restoration =
                undone.isEmpty
                ? nil
                : Restoration(
                    undone: undone, isWhole: UndoNote.undone(commit.metadata) != nil,
                    properties: [])
            for held in records { try note(later: held, commit.sequence, restoration) }
        }
    }

    // MARK: Undone commits

    private mutating func note(undone held: LogRecord) throws(DaybookError) {
        let record = held.record
        switch record.kind {
        case .put, .remove:
            let object = Object(entity: record.entity, id: record.id)
            let row = held.row
            if objects[object] == nil {
                objectOrder.append(object)
                objects[object] = ObjectEffect(
                    previous: record.previous, before: nil, after: row, newest: row)
            } else {
                objects[object]?.after = row
                objects[object]?.newest = row
            }
        case .link, .unlink, .listInsert, .listRemove:
            let (link, isLink) = held.link
            if links[link] == nil {
                linkOrder.append(link)
                links[link] = LinkEffect(wasThere: !isLink, isThere: isLink)
            } else {
                links[link]?.isThere = isLink
            }
        case .event: eventCount += 1
        case .schema: laterLayouts.insert(try held.layoutID)
        case .commit, .compacted, .erased: break
        }
    }

    /// Completes the undone commits: drops links without a net effect and looks up the preceding
    /// rows.
    private mutating func finishUndone() throws(DaybookError) {
        linkOrder = linkOrder.filter { links[$0].map { $0.wasThere != $0.isThere } ?? false }
        for link in linkOrder {
            sources.insert(Source(relation: link.relation, id: link.source))
            guard let relation = engine.schemas.relation(link.relation) else { continue }
            ends.insert(Object(entity: relation.entityID, id: link.source))
            ends.insert(Object(entity: relation.targetEntityID, id: link.target))
            owned.formUnion(ownedEnds(of: link, relation))
            let ends = engine.schemas.ends(of: relation.entityID)
            hasRules =
                hasRules
                || ends.contains {
                    $0.hasRules && $0.relation.relationID == relation.relationID
                }
        }
        let wanted = objects.filter { $0.value.previous > 0 }.mapValues(\.previous)
        for (object, row) in try engine.rows(written: wanted) { objects[object]?.before = row }
    }

    // MARK: Later commits

    private mutating func note(
        later held: LogRecord, _ sequence: UInt64, _ restoration: Restoration?
    ) throws(DaybookError) {
        let record = held.record
        switch record.kind {
        case .put, .remove:
            let object = Object(entity: record.entity, id: record.id)
            if ends.contains(object) {
                note(end: object, lives: record.kind == .put, sequence, restoration)
            }
            guard let effect = objects[object] else { return }
            let row = held.row
            let kind = try kind(of: row, after: effect, object.entity, restoration)
            objects[object]?.later.append(LaterChange(sequence: sequence, kind: kind))
            objects[object]?.removed = row == nil ? effect.newest : nil
            objects[object]?.newest = row
        case .link, .unlink, .listInsert, .listRemove:
            let (link, isLink) = held.link
            guard concerns(link) else { return }
            laterLinks.append(LaterLink(sequence: sequence, link: link, isLink: isLink))
        case .schema: laterLayouts.insert(try held.layoutID)
        case .event, .commit, .compacted, .erased: break
        }
    }

    private mutating func note(
        end object: Object, lives: Bool, _ sequence: UInt64, _ restoration: Restoration?
    ) {
        if !lives {
            laterAbsences[object, default: []].append(
                LaterChange(sequence: sequence, kind: .removed))
        } else if laterAbsences[object]?.last?.kind == .removed {
            laterAbsences[object]?.append(
                LaterChange(
                    sequence: sequence, kind: restoration.map { .restored($0) } ?? .inserted))
        }
    }

    private mutating func kind(
        of row: StoredRow?, after effect: ObjectEffect, _ entity: UInt32,
        _ restoration: Restoration?
    ) throws(DaybookError) -> LaterChange.Kind {
        guard let row else { return .removed }
        if let older = effect.newest {
            return .changed(try comparison.differences(older, row, entity))
        }
        guard var restoration else { return .inserted }
        if !restoration.isWhole {
            let fields = try comparison.layout(entity).layout.fields
            restoration.properties = Set(fields.map(\.propertyID))
        } else if let removed = effect.removed {
            restoration.properties = try comparison.differences(removed, row, entity)
        }
        return .restored(restoration)
    }

    /// Whether a link is one of the undone links, depends on one of them, or has an undone object
    /// at one end.
    private func concerns(_ link: ListEntry) -> Bool {
        guard let relation = engine.schemas.relation(link.relation) else { return false }
        if objects[Object(entity: relation.entityID, id: link.source)] != nil { return true }
        if objects[Object(entity: relation.targetEntityID, id: link.target)] != nil { return true }
        if hasRules || !owned.isEmpty {
            let ends = ownedEnds(of: link, relation)
            if hasRules ? !ends.isEmpty : !owned.isDisjoint(with: ends) { return true }
        }
        return relation.type == .toMany
            ? links[link] != nil
            : sources.contains(Source(relation: link.relation, id: link.source))
    }

    /// The ends of a link whose object a rule removes with its last link.
    func ownedEnds(of link: ListEntry, _ relation: Schema.Relation) -> [LinkEnd] {
        let rules = rules(of: relation)
        var found: [LinkEnd] = []
        if rules?.removesOrphanTargets == true {
            found.append(LinkEnd(relation, isBackward: true, id: link.target))
        }
        if rules?.removesOrphanSources == true {
            found.append(LinkEnd(relation, isBackward: false, id: link.source))
        }
        return found
    }

    func rules(of relation: Schema.Relation) -> RemovalRules? {
        engine.schemas.ends(of: relation.entityID)
            .first { $0.relation.relationID == relation.relationID }?.rules
    }

    private static func unknown(
        _ range: ClosedRange<UInt64>, _ newest: UInt64
    ) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "Commits \(range.lowerBound) to \(range.upperBound) cannot be undone: the log contains"
                + " commits 1 to \(newest).",
            details: ["sequence": String(range.upperBound), "newest": String(newest)])
    }

    private static func truncated(
        _ range: ClosedRange<UInt64>, _ floor: UInt64
    ) -> DaybookError {
        DaybookError(
            .historyTruncated,
            "Commit \(range.lowerBound) cannot be undone: a compaction dropped the preceding"
                + " versions. Only commits after \(floor) can be undone.",
            details: ["sequence": String(range.lowerBound), "historyFloor": String(floor)])
    }
}

extension LogRecord {
    /// A copy of the row of a put; nil for a removal.
    fileprivate var row: StoredRow? {
        guard record.kind == .put else { return nil }
        return StoredRow(
            pending: payload.span.extracting(record.row).array, layout: record.layout,
            id: record.id)
    }

    /// The number of the layout that a record defines.
    fileprivate var layoutID: UInt32 {
        get throws(DaybookError) {
            try EntityLayout(decoding: payload.span.extracting(record.body)).layoutID
        }
    }

    /// The link of a record, and whether the record adds it.
    fileprivate var link: (ListEntry, Bool) {
        (
            ListEntry(record, in: payload.span),
            record.kind == .link || record.kind == .listInsert
        )
    }
}
