import DaybookBytes
import DaybookLog
import DaybookPages
import DaybookRecords

/// The facts about the log that decide which records a compaction keeps: the number of superseded
/// versions of each object up to the floor of its rule, and the links that existed at the floor.
///
/// The decisions use up the facts in the order of the log: a count goes down with each version, and
/// a link is taken out with the record that is kept for it. Memory: some 24 bytes for each object
/// with superseded versions and for each object that is changed during the compaction, and 16 bytes
/// for each link.
struct RecordSurvey {
    let rules: RetentionRules
    /// The sequence of the state whose index entries tell which versions are superseded.
    let newestSequence: UInt64
    /// The last sequence whose records must be counted; 0 if the index entries suffice.
    let countedFloor: UInt64
    /// Whether some records may be dropped: a rule was found to drop one, or nothing was counted
    /// for it.
    private(set) var canDropRecords: Bool
    private let space = PageSpace()
    /// The sequence, up to ``newestSequence``, of the last version of each object that was changed
    /// later; 0 for a new object.
    private let changedObjects = PageSpace()
    /// The last sequence whose changes are in ``changedObjects``.
    private var changesSequence: UInt64

    /// Notes the links of the newest state, for the rules whose floor is there.
    init(_ rules: RetentionRules, _ newest: ReadView) throws(DaybookError) {
        self.rules = rules
        newestSequence = try newest.sequence
        changesSequence = newestSequence
        countedFloor = rules.countedFloor(newest: newestSequence)
        canDropRecords = rules.hasUncountedFloor(newest: newestSequence)
        space.begin(sequence: 1)
        changedObjects.begin(sequence: 1)
        guard rules.floor == newestSequence else { return }
        let held = newest.hold()
        defer { withExtendedLifetime(held) {} }
        for tree in try held.reader.trees() {
            guard let relation = IndexTree.relation(ofForwardLinks: tree),
                rules.rule(ofLinks: relation).floor == newestSequence
            else { continue }
            try copy(tree, isList: IndexTree.list(of: relation) == tree, from: held.reader)
        }
    }

    private func copy(
        _ tree: TreeID, isList: Bool, from reader: PageReader
    ) throws(DaybookError) {
        if isList {
            var cursor = try reader.bytes(tree)
            while let entry = try cursor.next() {
                _ = try space.put(tree, bytes: entry.key.span, entry.value)
            }
        } else {
            var cursor = try reader.pairs(tree)
            while let pair = try cursor.next() {
                _ = try space.insert(tree, pair.first, pair.second)
            }
        }
    }

    /// Whether superseded versions are counted for a rule.
    func isCounted(_ rule: HistoryRule) -> Bool { rule.isCounted(newest: newestSequence) }

    /// Counts the records of a frame, in the order of the log. `newest` is the state at
    /// ``newestSequence``.
    mutating func note(
        _ frame: LogScanner.Frame, _ newest: PageReader
    ) throws(DaybookError) {
        for (record, sequence) in try frame.records() where sequence <= countedFloor {
            switch record.kind {
            case .put, .remove: try noteVersion(record, sequence, newest)
            case .link, .unlink, .listInsert, .listRemove:
                let floor = rules.rule(ofLinks: record.relation).floor
                guard sequence <= floor else { continue }
                let isLink = record.kind == .link || record.kind == .listInsert
                let isFirst = floor == newestSequence ? isLink : try isFirstLink(record, frame)
                if !isFirst { canDropRecords = true }
            case .event:
                if sequence <= rules.rule(ofEvents: record.entity).floor { canDropRecords = true }
            case .schema, .compacted, .erased, .commit: break
            }
        }
    }

    private mutating func noteVersion(
        _ record: Record, _ sequence: UInt64, _ newest: PageReader
    ) throws(DaybookError) {
        let tree = IndexTree.objects(of: record.entity)
        let rule = rules.rule(of: record.entity)
        guard sequence <= rule.floor, isCounted(rule) else { return }
        if rule.versionCount == 1, record.kind == .remove { canDropRecords = true }
        guard let value = try newest.get(tree, record.id) else { return }
        let last = ObjectEntry(value).sequence
        guard sequence < last else { return }
        let count = (try space.working.get(tree, record.id)?.first ?? 0) + 1
        _ = try space.put(tree, record.id, WordValue(first: count, second: 0))
        let keptCount = last <= rule.floor ? rule.versionCount - 1 : rule.versionCount
        if count > keptCount { canDropRecords = true }
    }

    /// Notes the objects that commits up to `sequence` changed since the survey. A record tells the
    /// sequence of the version before it. Cost: a read of the log after the last such commit.
    mutating func noteChanges(until sequence: UInt64, in log: Log) throws(DaybookError) {
        guard sequence > changesSequence else { return }
        var frames = LogFrames(
            try log.scan(fromSequence: changesSequence + 1), after: changesSequence,
            until: sequence)
        while let frame = try frames.next() {
            try frame.forEachRecord { record, sequence throws(DaybookError) in
                guard frames.contains(sequence), record.kind == .put || record.kind == .remove
                else { return }
                let tree = IndexTree.objects(of: record.entity)
                guard try changedObjects.working.get(tree, record.id) == nil else { return }
                let value = WordValue(first: record.previous, second: 0)
                _ = try changedObjects.put(tree, record.id, value)
            }
        }
        changesSequence = sequence
    }

    /// The sequence of the last version of an object in the state at ``newestSequence``. `entry` is
    /// a later index entry of the object, of a state up to the sequence of the last call of
    /// ``noteChanges(until:in:)``. Returns nil if the object did not exist.
    func lastSequence(
        of record: Record, _ entry: ObjectEntry
    ) throws(DaybookError) -> UInt64? {
        guard entry.sequence > newestSequence else { return entry.sequence }
        let tree = IndexTree.objects(of: record.entity)
        let last = try changedObjects.working.get(tree, record.id)?.first ?? 0
        return last > 0 ? last : nil
    }

    /// Applies a record to the links. Returns whether it adds a link that does not exist.
    private func isFirstLink(
        _ record: Record, _ frame: LogScanner.Frame
    ) throws(DaybookError) -> Bool {
        let (source, target) = (record.source, record.target)
        switch record.kind {
        case .link: return try space.insert(IndexTree.links(of: record.relation), source, target)
        case .unlink: _ = try space.remove(IndexTree.links(of: record.relation), source, target)
        default:
            let entry = ListEntry(record, in: frame.payload.span)
            let tree = IndexTree.list(of: record.relation)
            if record.kind == .listInsert {
                return try space.put(tree, bytes: entry.forwardKey.span, target) == nil
            }
            _ = try space.remove(tree, bytes: entry.forwardKey.span)
        }
        return false
    }

    /// The number of superseded versions of an object from the next one in the log on; nil without
    /// a count. The next call is for the version after it.
    func takeSuperseded(_ record: Record) throws(DaybookError) -> Int? {
        let tree = IndexTree.objects(of: record.entity)
        guard let count = try space.working.get(tree, record.id)?.first, count > 0 else {
            return nil
        }
        if count > 1 {
            _ = try space.put(tree, record.id, WordValue(first: count - 1, second: 0))
        } else {
            _ = try space.remove(tree, record.id)
        }
        return Int(clamping: count)
    }

    /// Whether the link of a record existed at the floor, and no earlier record was kept for it.
    func takeLink(_ record: Record, _ frame: LogScanner.Frame) throws(DaybookError) -> Bool {
        guard record.kind == .listInsert else {
            let tree = IndexTree.links(of: record.relation)
            return try space.remove(tree, record.source, record.target)
        }
        let key = ListEntry(record, in: frame.payload.span).forwardKey
        let tree = IndexTree.list(of: record.relation)
        guard try space.working.get(tree, bytes: key.span) == record.target else { return false }
        return try space.remove(tree, bytes: key.span) != nil
    }
}
