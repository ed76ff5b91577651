import Synchronization

/// Limits the number of open files of segments. Beyond the limit, files that were not used recently
/// are closed; the next read opens them again.
///
/// A file that is being read closes when the read ends. A segment whose file must stay open (the
/// active one, and one that a compaction replaced) does not count.
final class OpenSegmentFiles: Sendable {
    private struct Entry {
        weak var segment: Segment?
    }

    private let countMax: Int
    /// The segments with a file that may be closed; the next candidate is first.
    private let entries = Mutex<[Entry]>([])
    private let keptCount = Mutex(0)

    init(countMax: Int) { self.countMax = max(1, countMax) }

    /// The number of files that may be closed and are open.
    var count: Int {
        entries.withLock { entries in entries.count { $0.segment?.hasClosableFile ?? false } }
    }

    /// Counts a file that stays open without a name. Returns false if there are too many.
    func keep() -> Bool {
        keptCount.withLock { count in
            guard count < countMax else { return false }
            count += 1
            return true
        }
    }

    /// Counts a file less that stays open.
    func release() { keptCount.withLock { $0 -= 1 } }

    /// Notes that the file of a segment was opened, and closes others beyond the limit.
    func add(_ segment: Segment) {
        entries.withLock { entries in
            entries.removeAll { $0.segment?.hasClosableFile != true || $0.segment === segment }
            // Two rounds: the first one only notices files that were used since the last.
            var attemptsLeft = entries.count * 2
            while entries.count >= countMax, attemptsLeft > 0 {
                attemptsLeft -= 1
                let candidate = entries.removeFirst()
                if candidate.segment?.closeUnlessUsed() == false { entries.append(candidate) }
            }
            entries.append(Entry(segment: segment))
        }
    }
}
