import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

/// Reverts a pinned version to an earlier sequence: reverts all later changes of the log in a fork
/// of its pages.
///
/// Cost: a read of the log after the sequence, of the frames that contain the preceding versions,
/// and of the rows of changed objects that have indexes. Memory is proportional to the changes.
struct Rewind {
    private let log: Log
    private let logView: LogView
    private let space: PageSpace
    private let schema: Schema
    private let control: OperationControl
    private(set) var applied: AppliedState
    /// The indexes that the past version has; set by ``run(to:)``.
    private(set) var indexes: PastIndexes?

    /// - Parameters:
    ///   - schema: the schema of the pinned version, or a newer one.
    ///   - logView: the log, captured after the version was pinned.
    init(
        _ pin: PagePin, _ log: Log, _ logView: LogView, _ schema: Schema,
        _ control: OperationControl
    ) throws(DaybookError) {
        self.log = log
        self.logView = logView
        self.schema = schema
        self.control = control
        space = PageSpace.fork(of: pin)
        applied = try AppliedState(resuming: pin.reader)
    }

    /// Moves a fork, instead of forking a pinned version.
    init(
        moving space: PageSpace, _ applied: AppliedState, _ log: Log, _ logView: LogView,
        _ schema: Schema, _ control: OperationControl
    ) {
        self.log = log
        self.logView = logView
        self.schema = schema
        self.control = control
        self.space = space
        self.applied = applied
    }

    /// Moves the state to `sequence`, with the same indexes. Returns false, without a change, if
    /// later transactions defined layouts.
    mutating func run(
        to sequence: UInt64, keeping indexes: PastIndexes
    ) throws(DaybookError) -> Bool {
        let later = try laterChanges(since: sequence)
        guard later.layouts.isEmpty else { return false }
        space.begin(sequence: space.publishedVersion.sequence + 1)
        try revert(later, to: sequence)
        return true
    }

    /// Returns the state at `sequence`, which must be before that of the pinned version and not
    /// below the history floor.
    ///
    /// The indexes are those of the pinned version that are valid for the past: see
    /// ``PastIndexes``. Throws `.interrupted` and `.corruption`.
    mutating func run(to sequence: UInt64) throws(DaybookError) -> PageSpace {
        let later = try laterChanges(since: sequence)
        space.begin(sequence: space.publishedVersion.sequence + 1)
        let indexes = PastIndexes(schema, without: later.layouts)
        self.indexes = indexes
        let kept = Set(indexes.layouts.flatMap(\.indexes).map(\.indexID))
        for index in applied.indexes.keys.sorted() where !kept.contains(index) {
            try applied.forget(index, in: space)
        }
        try revert(later, to: sequence)
        return space
    }

    private mutating func revert(
        _ later: LaterChanges, to sequence: UInt64
    ) throws(DaybookError) {
        try setBackObjects(later)
        try applied.writeCounts(to: space)
        try applied.apply(try inverse(of: later), sequence: sequence, to: space)
        space.publish(space.end())
    }

    private func laterChanges(since sequence: UInt64) throws(DaybookError) -> LaterChanges {
        var changes = LaterChanges()
        var records = LogRecords(
            LogFrames(
                try log.scan(fromSequence: sequence + 1, in: logView), after: sequence,
                until: applied.sequence))
        while let (record, _) = try records.next(control) { try changes.add(record) }
        return changes
    }

    // MARK: Objects

    private mutating func setBackObjects(_ later: LaterChanges) throws(DaybookError) {
        var wanted: Set<VersionKey> = []
        var ids: [UInt32: [UInt64]] = [:]
        for (object, previous) in later.objects {
            ids[object.entity, default: []].append(object.id)
            guard previous > 0 else { continue }
            wanted.insert(
                VersionKey(entity: object.entity, id: object.id, sequence: previous))
        }
        let scan = VersionScan(log: log, logView: logView)
        let entries = try scan.entries(of: wanted, isCancelled: control.isCancelled)
        let floor = logView.manifest.historyFloor
        for (entity, ids) in ids.sorted(by: { $0.key < $1.key }) {
            try setBack(entity, ids.sorted()) { id throws(DaybookError) in
                let previous = later.objects[LaterChanges.Object(entity: entity, id: id)] ?? 0
                guard previous > 0 else { return nil }
                let key = VersionKey(entity: entity, id: id, sequence: previous)
                if let entry = entries[key] { return entry }
                try key.requireForgotten(floor)
                return nil
            }
        }
    }

    private mutating func setBack(
        _ entity: UInt32, _ ids: [UInt64],
        to entry: (UInt64) throws(DaybookError) -> ObjectEntry?
    ) throws(DaybookError) {
        var builder = try indexBuilder(entity)
        var keys = KeyChanges(isPart: true)
        for id in ids {
            let earlier = try entry(id)
            let now = try applied.setBack(entity, id, to: earlier, in: space)
            try builder?.note(id, from: now, to: earlier, applied, in: &keys)
            guard keys.byteCount >= IndexBuilder.keyBytesMax else { continue }
            try control.check()
            try applied.apply(keys, to: space)
            keys = KeyChanges(isPart: true)
        }
        try applied.apply(keys, to: space)
    }

    private func indexBuilder(_ entity: UInt32) throws(DaybookError) -> IndexBuilder? {
        guard applied.indexes.values.contains(where: { $0.entity == entity }),
            let plan = try schema.indexPlan(entity)
        else { return nil }
        let schema = schema
        return IndexBuilder(plan, log) { layout throws(DaybookError) in
            try schema.rowLayout(layout)
        }
    }

    // MARK: Links

    private func inverse(of later: LaterChanges) throws(DaybookError) -> [IndexChange] {
        var changes: [IndexChange] = []
        for (link, wasThere) in later.links {
            let (relation, source, target) = (link.relation, link.source, link.target)
            changes.append(
                wasThere
                    ? .link(relation: relation, source: source, target: target)
                    : .unlink(relation: relation, source: source, target: target))
        }
        for (place, earlier) in later.places {
            var entry = ListEntry(
                relation: place.relation, source: place.source, target: earlier ?? 0,
                position: place.position)
            if earlier != nil {
                changes.append(.listInsert(entry))
                continue
            }
            let tree = IndexTree.list(of: place.relation)
            guard let now = try space.working.get(tree, bytes: entry.forwardKey.span) else {
                continue
            }
            entry.target = now
            changes.append(.listRemove(entry))
        }
        return changes
    }
}
