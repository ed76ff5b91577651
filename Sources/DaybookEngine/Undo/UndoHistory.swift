import DaybookBytes
import DaybookRecords
import DaybookLog

/// What the log says of commits that are to be undone: what they did, and which later commits did
/// something to the same.
///
/// Memory: the rows before and after of each object that they changed; of what came later only
/// which fields and links were touched, and when.
struct UndoHistory {
    struct Object: Hashable {
        var entity: UInt32
        var id: UInt64
    }

    /// What the undone commits did to an object, all taken together.
    struct ObjectEffect {
        /// The commit that wrote the version before; 0 where there was none.
        var previous: UInt64
        /// Nil where it did not live.
        var before: StoredRow?
        var after: StoredRow?
        /// Its newest row in what was read so far.
        var newest: StoredRow?
        /// Its row before it was removed, as long as it is not back.
        var removed: StoredRow?
        var later: [LaterChange] = []
    }

    /// What the undone commits did to a link, all taken together.
    struct LinkEffect {
        var wasThere: Bool
        var isThere: Bool
    }

    struct LaterLink {
        var sequence: UInt64
        var link: ListEntry
        var isLink: Bool
    }

    /// A source of a relation; to one and to lists its links hang together.
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
    /// Whether any undone commit is one.
    private(set) var hasUndos = false
    private(set) var objects: [Object: ObjectEffect] = [:]
    private(set) var objectOrder: [Object] = []
    private(set) var links: [ListEntry: LinkEffect] = [:]
    private(set) var linkOrder: [ListEntry] = []
    private(set) var eventCount = 0
    private(set) var laterLinks: [LaterLink] = []
    /// When objects at the ends of undone links were removed, and came back.
    private(set) var laterAbsences: [Object: [LaterChange]] = [:]
    /// The later commits that have taken back some of the same.
    private(set) var ownUndos: Set<UInt64> = []
    /// The layouts that came with the undone commits or later.
    private(set) var laterLayouts: Set<UInt32> = []
    private var ends: Set<Object> = []
    private var sources: Set<Source> = []
    /// The ends of undone links where whoever loses the last link is removed.
    private var owned: Set<LinkEnd> = []
    /// Whether an undone link may decide what rules remove: then all that lose an owner count.
    private var hasRules = false
    var cancellation = UndoCancellation()
    var comparison: RowComparison

    /// Throws `.historyTruncated` for commits whose rows before compaction may have dropped,
    /// `.invalidArgument` for those that are not there.
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

    /// Throws `.historyTruncated` where a compaction has come in between.
    private func requireWhole() throws(DaybookError) {
        let floor = engine.historyFloor
        guard floor == 0 || range.lowerBound > floor else { throw Self.truncated(range, floor) }
    }

    /// Reads what was committed since. Cost: the log from the first undone commit on, or from where
    /// the last call ended; and the rows before, once.
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

    // MARK: What is undone

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
        case .commit, .compacted: break
        }
    }

    /// All undone commits were read: what comes to nothing is forgotten, and the rows before are
    /// looked up.
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

    // MARK: What came later

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
        case .event, .commit, .compacted: break
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

    /// Whether a link was undone, hangs together with one that was, or has an undone object at an
    /// end.
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

    /// The ends of a link where whoever loses the last link is removed.
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
            "Commits \(range.lowerBound) to \(range.upperBound) cannot be undone: they go from 1 to"
                + " \(newest).",
            details: ["sequence": String(range.upperBound), "newest": String(newest)])
    }

    private static func truncated(
        _ range: ClosedRange<UInt64>, _ floor: UInt64
    ) -> DaybookError {
        DaybookError(
            .historyTruncated,
            "Commit \(range.lowerBound) cannot be undone: a compaction dropped what was before it."
                + " Only commits after \(floor) can be.",
            details: ["sequence": String(range.lowerBound), "historyFloor": String(floor)])
    }
}

extension LogRecord {
    /// The row of a put, copied; nil of a removal.
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

    /// The link of a record, and whether it is made.
    fileprivate var link: (ListEntry, Bool) {
        (
            ListEntry(record, in: payload.span),
            record.kind == .link || record.kind == .listInsert
        )
    }
}
