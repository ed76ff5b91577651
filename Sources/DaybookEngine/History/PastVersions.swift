import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

/// The past versions that were used last. The next one is often one of them, or near one.
///
/// They hold pages that later commits replace, and segments that a compaction replaces. So they are
/// dropped by a compaction, after some commits, and when they take much memory.
struct PastVersions {
    /// The number of commits after which the versions are dropped.
    static let commitCountMax: UInt64 = 1_000
    /// The number of cursors and of views that are kept, and the limit of their own pages in bytes.
    static let cursorCountMax = 6
    static let viewCountMax = 4
    static let ownBytesMax = min(128 << 20, MemorySize.bytes / 16)
    /// The number of spaces of which each is a fork of the one before.
    private static let forkDepthMax = 3

    /// A cursor moves over this length of the log; for a longer way it stays, and a fork moves.
    var moveBytesMax = 256 << 10
    /// The cursors, the last used at the end. A cursor that a thread moves is not among them.
    private(set) var cursors: [PastCursor] = []
    private var views: [(sequence: UInt64, space: ObjectIdentifier, view: ReadView)] = []
    /// Counts the calls of ``drop()``.
    private(set) var generation = 0

    var isEmpty: Bool { cursors.isEmpty && views.isEmpty }

    mutating func drop() {
        (cursors, views) = ([], [])
        generation += 1
    }

    func view(at sequence: UInt64) -> ReadView? { views.last { $0.sequence == sequence }?.view }

    /// The cursor at a sequence, and whether it stays there, so that a fork must move. Otherwise it
    /// is taken out. Nil if it is not there any more.
    mutating func start(
        at sequence: UInt64, toMove distance: Int
    ) -> (cursor: PastCursor, stays: Bool)? {
        guard let place = cursors.firstIndex(where: { $0.sequence == sequence }) else { return nil }
        let cursor = cursors.remove(at: place)
        guard distance > moveBytesMax else { return (cursor, false) }
        if cursor.ownBytes.count < Self.forkDepthMax {
            cursors.append(cursor)
            return (cursor, true)
        }
        // The pages of these views would take as much memory as those of another cursor.
        views.removeAll { $0.space == cursor.spaceIdentity }
        return (cursor, false)
    }

    /// Keeps a cursor and its view, unless the versions were dropped since `generation`.
    mutating func keep(_ cursor: PastCursor, _ view: ReadView, since generation: Int) {
        guard generation == self.generation else { return }
        cursors.removeAll { $0.sequence == cursor.sequence || !$0.hasIndexes(of: cursor) }
        cursors.append(cursor)
        views.append((cursor.sequence, cursor.spaceIdentity, view))
        if views.count > Self.viewCountMax { views.removeFirst() }
        while cursors.count > 1,
            cursors.count > Self.cursorCountMax || ownBytes.values.reduce(0, +) > Self.ownBytesMax
        {
            removeOldest()
        }
        let kept = ownBytes
        guard kept.values.reduce(0, +) <= Self.ownBytesMax else { return drop() }
        // A view retains the space of its cursor.
        views.removeAll { kept[$0.space] == nil }
    }

    /// Removes the cursor that was not used for longest, of those whose spaces no fork retains. The
    /// earliest version stays: moves back to any later one find preceding versions in it.
    private mutating func removeOldest() {
        let earliest = cursors.map(\.sequence).min()
        let place = cursors.dropLast().firstIndex { cursor in
            cursor.sequence != earliest
                && cursors.allSatisfy {
                    $0.spaceIdentity == cursor.spaceIdentity
                        || $0.ownBytes[cursor.spaceIdentity] == nil
                }
        }
        cursors.remove(at: place ?? 0)
    }

    /// The bytes of the pages of the cursors' spaces.
    private var ownBytes: [ObjectIdentifier: Int] {
        cursors.reduce(into: [:]) { all, cursor in
            all.merge(cursor.ownBytes, uniquingKeysWith: max)
        }
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

    /// Keeps a cursor for later calls, and returns its view.
    func keep(_ cursor: PastCursor, since generation: Int) -> ReadView {
        let view = cursor.view(log)
        // The copy releases the dropped versions outside the lock.
        let before = pastVersions.withLock { versions in
            let before = versions
            versions.keep(cursor, view, since: generation)
            return before
        }
        pastVersionsEnd.store(
            log.lastSequence + PastVersions.commitCountMax, ordering: .relaxed)
        // A call of close() that has begun has dropped the versions before.
        if !isOpen { dropPastVersions() }
        withExtendedLifetime(before) {}
        return view
    }

    /// Drops the kept versions after many commits, or after a large one.
    func expirePastVersions(after sequence: UInt64, isLarge: Bool) {
        let end = pastVersionsEnd.load(ordering: .relaxed)
        if end != .max, isLarge || sequence > end { dropPastVersions() }
    }

    /// Returns a kept version, or moves the nearest cursor; nil if neither is possible or another
    /// way costs less than a move.
    ///
    /// - Parameter otherBytes: the cost of another way.
    func keptView(
        at sequence: UInt64, _ logView: LogView, otherBytes: () throws(DaybookError) -> Int,
        _ control: OperationControl
    ) throws(DaybookError) -> ReadView? {
        let (kept, cursors, generation) = pastVersions.withLock {
            ($0.view(at: sequence), $0.cursors, $0.generation)
        }
        if let kept { return kept }
        let schema = schemas.schema
        let current = cursors.filter { $0.isCurrent(schema) }
        var best: (cost: Int, distance: Int, sequence: UInt64)?
        for cursor in Self.sorted(current, around: sequence) {
            let distance = try distance(sequence, cursor.sequence, logView)
            let isBack = sequence < cursor.sequence
            let cost = isBack ? distance * Self.rewindCostFactor : distance
            if cost < best?.cost ?? .max { best = (cost, distance, cursor.sequence) }
        }
        guard let best, try best.cost <= otherBytes() else { return nil }
        let found = pastVersions.withLock {
            $0.start(at: best.sequence, toMove: best.distance)
        }
        guard let found else { return nil }
        let start = found.stays ? found.cursor.fork() : found.cursor
        let other = Self.last(of: cursors, through: sequence)
        let cursor = try start.moved(to: sequence, log, logView, near: other, control)
        return cursor.map { keep($0, since: generation) }
    }

    /// The cursors, the nearest to a sequence first.
    static func sorted(_ cursors: [PastCursor], around sequence: UInt64) -> [PastCursor] {
        func difference(_ cursor: PastCursor) -> UInt64 {
            max(cursor.sequence, sequence) - min(cursor.sequence, sequence)
        }
        return cursors.sorted { difference($0) < difference($1) }
    }

    /// The latest cursor at a sequence or before it. Of an object that was not changed between the
    /// two, it has the version that a move back to the sequence needs.
    static func last(of cursors: [PastCursor], through sequence: UInt64) -> PastCursor? {
        cursors.filter { $0.sequence <= sequence }.max { $0.sequence < $1.sequence }
    }

    /// The length of the log between two sequences, within about 64 KiB.
    private func distance(
        _ one: UInt64, _ other: UInt64, _ logView: LogView
    ) throws(DaybookError) -> Int {
        let first = try log.bytes(aroundSequence: min(one, other) + 1, in: logView).after
        return first - (try log.bytes(aroundSequence: max(one, other) + 1, in: logView).after)
    }
}
