import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

/// Reverts a pinned version to an earlier sequence: reverts all later changes of the log in a fork
/// of its pages.
///
/// Cost: a read of the log after the sequence, of the frames that contain the preceding versions,
/// and of the rows of changed objects that have indexes. The locations of preceding versions that
/// another past version contains are taken from there. Memory is proportional to the changes.
struct Rewind {
    private let log: Log
    private let logView: LogView
    private let space: PageSpace
    private let schema: Schema
    private let control: OperationControl
    /// A past version that may contain preceding versions.
    private let other: VersionPin?
    private(set) var applied: AppliedState

    /// - Parameters:
    ///   - schema: the schema of the pinned version, or a newer one.
    ///   - logView: the log, captured after the version was pinned.
    ///   - other: another past version. Its segments must be retained together with the result.
    init(
        _ pin: PagePin, _ log: Log, _ logView: LogView, _ schema: Schema,
        near other: VersionPin? = nil, _ control: OperationControl
    ) throws(DaybookError) {
        self.other = other
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
        _ schema: Schema, near other: VersionPin?, _ control: OperationControl
    ) {
        self.other = other
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
    /// below the history floor, and its indexes.
    ///
    /// The indexes are those of the pinned version that are valid for the past: see
    /// ``PastIndexes``. Throws `.interrupted` and `.corruption`.
    mutating func run(
        to sequence: UInt64
    ) throws(DaybookError) -> (space: PageSpace, indexes: PastIndexes) {
        let later = try laterChanges(since: sequence)
        space.begin(sequence: space.publishedVersion.sequence + 1)
        let indexes = PastIndexes(schema, without: later.layouts)
        let kept = Set(indexes.layouts.flatMap(\.indexes).map(\.indexID))
        for index in applied.indexes.keys.sorted() where !kept.contains(index) {
            try applied.forget(index, in: space)
        }
        try revert(later, to: sequence)
        return (space, indexes)
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
        var frames = LogFrames(
            try log.scan(fromSequence: sequence + 1, in: logView), after: sequence,
            until: applied.sequence)
        while let frame = try frames.next(control) {
            try frame.forEachRecord { record, sequence throws(DaybookError) in
                guard frames.contains(sequence) else { return }
                try changes.add(LogRecord(record: record, payload: frame.payload))
            }
        }
        return changes
    }

    // MARK: Objects

    private mutating func setBackObjects(_ later: LaterChanges) throws(DaybookError) {
        var changed = later.objects.map { object, previous in
            Change(entity: object.entity, id: object.id, previous: previous)
        }
        changed.sort { ($0.entity, $0.id) < ($1.entity, $1.id) }
        try findPreceding(&changed)
        var rest = changed[...]
        while let entity = rest.first?.entity {
            let end = rest.partitioningIndex { $0.entity > entity }
            try setBack(entity, rest[..<end])
            rest = rest[end...]
        }
    }

    /// An object to revert.
    private struct Change {
        var entity: UInt32
        var id: UInt64
        /// The transaction that wrote the preceding version; 0 if there is none.
        var previous: UInt64
        /// The index entry of that version.
        var preceding: ObjectEntry?

        /// Takes the entry from a version that contains the preceding version of the object.
        mutating func find(in reader: PageReader) throws(DaybookError) {
            guard previous > 0,
                let value = try reader.get(IndexTree.objects(of: entity), id)
            else { return }
            let entry = ObjectEntry(value)
            if entry.sequence == previous { preceding = entry }
        }
    }

    /// The number of lookups in one use of a pinned version.
    private static let lookupCount = 1024

    /// Finds the index entries of the preceding versions of objects in the order of their ids.
    private func findPreceding(_ changed: inout [Change]) throws(DaybookError) {
        if let other {
            for start in stride(from: 0, to: changed.count, by: Self.lookupCount) {
                try control.check()
                try other.withReader { reader throws(DaybookError) in
                    for place in start..<min(start + Self.lookupCount, changed.count) {
                        try changed[place].find(in: reader)
                    }
                }
            }
        }
        let places = changed.indices.filter {
            changed[$0].previous > 0 && changed[$0].preceding == nil
        }
        let wanted = places.map { place in
            VersionKey(
                entity: changed[place].entity, id: changed[place].id,
                sequence: changed[place].previous)
        }
        let scan = VersionScan(log: log, logView: logView)
        let entries = try scan.entries(of: wanted, isCancelled: control.isCancelled)
        let floor = max(logView.manifest.historyFloor, applied.erasures.keys.max() ?? 0)
        for (index, entry) in entries.enumerated() {
            if entry == nil { try wanted[index].requireForgotten(floor) }
            changed[places[index]].preceding = entry
        }
    }

    private mutating func setBack(
        _ entity: UInt32, _ changed: ArraySlice<Change>
    ) throws(DaybookError) {
        var builder = try indexBuilder(entity)
        var keys = KeyChanges(isPart: true)
        for change in changed {
            let (id, earlier) = (change.id, change.preceding)
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
