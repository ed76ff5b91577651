import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

/// The past versions that were used last. The next one is often one of them, or near the last.
///
/// They hold pages that later commits replace, and segments that a compaction replaces. So they are
/// dropped by a compaction, after some commits, and when they take much memory.
struct PastVersions {
    /// The number of commits after which the versions are dropped.
    static let commitCountMax: UInt64 = 1_000
    /// The number of views that are kept, and the limit of their own pages in bytes.
    static let viewCountMax = 4
    static let ownBytesMax = 64 << 20

    /// The cursor that made the views; nil while a thread moves it.
    private var cursor: PastCursor?
    private var views: [(sequence: UInt64, view: ReadView)] = []
    /// Counts the calls of ``drop()``.
    private(set) var generation = 0

    var isEmpty: Bool { cursor == nil && views.isEmpty }

    mutating func drop() {
        (cursor, views) = (nil, [])
        generation += 1
    }

    func view(at sequence: UInt64) -> ReadView? { views.last { $0.sequence == sequence }?.view }

    /// The sequence of the cursor, if it is there.
    var cursorSequence: UInt64? { cursor?.sequence }

    /// Takes the cursor out; nil if it is not there or has other indexes.
    mutating func takeCursor(_ schema: Schema) -> PastCursor? {
        defer { cursor = nil }
        guard let cursor, cursor.isCurrent(schema) else { return nil }
        return cursor
    }

    /// Keeps a cursor and its view, unless the versions were dropped since `generation`.
    mutating func keep(_ cursor: PastCursor, _ view: ReadView, since generation: Int) {
        guard generation == self.generation else { return }
        guard cursor.space.ownByteCount <= Self.ownBytesMax else { return drop() }
        self.cursor = cursor
        views.append((cursor.sequence, view))
        if views.count > Self.viewCountMax { views.removeFirst() }
    }
}

extension Engine {
    /// Drops the past versions that are kept for later calls.
    func dropPastVersions() {
        // Released outside the lock.
        let dropped = pastVersions.withLock { versions in
            defer { versions.drop() }
            return versions
        }
        pastVersionsEnd.store(.max, ordering: .relaxed)
        withExtendedLifetime(dropped) {}
    }

    /// Keeps a cursor and its view for later calls.
    func keep(_ cursor: PastCursor, _ view: ReadView, since generation: Int) {
        pastVersions.withLock { $0.keep(cursor, view, since: generation) }
        pastVersionsEnd.store(
            log.lastSequence + PastVersions.commitCountMax, ordering: .relaxed)
        // A call of close() that has begun has dropped the versions before.
        if !isOpen { dropPastVersions() }
    }

    /// Drops the kept versions after many commits, or after a large one.
    func expirePastVersions(after sequence: UInt64, isLarge: Bool) {
        let end = pastVersionsEnd.load(ordering: .relaxed)
        if end != .max, isLarge || sequence > end { dropPastVersions() }
    }

    /// Returns a kept version, or moves the kept cursor; nil if neither is possible or another way
    /// costs less than a move.
    ///
    /// - Parameter otherBytes: the cost of another way.
    func keptView(
        at sequence: UInt64, _ logView: LogView, otherBytes: () throws(DaybookError) -> Int,
        _ control: OperationControl
    ) throws(DaybookError) -> ReadView? {
        let (kept, from, generation) = pastVersions.withLock {
            ($0.view(at: sequence), $0.cursorSequence, $0.generation)
        }
        if let kept { return kept }
        guard let from else { return nil }
        let (low, high) = (min(from, sequence), max(from, sequence))
        let distance =
            try log.bytes(aroundSequence: low + 1, in: logView).after
            - log.bytes(aroundSequence: high + 1, in: logView).after
        let other = try otherBytes()
        guard distance * Self.rewindCostFactor <= other else { return nil }
        let schema = schemas.schema
        guard var cursor = pastVersions.withLock({ $0.takeCursor(schema) }) else { return nil }
        guard try cursor.move(to: sequence, log, logView, control) else { return nil }
        let view = cursor.view(log)
        keep(cursor, view, since: generation)
        return view
    }
}
