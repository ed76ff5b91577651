import DaybookBytes
import DaybookEngine

/// A number of versions of one object, newest first, each with the row of the version before.
struct HistoryPart: Sendable {
    /// The state of the object before a version.
    enum Before: Sendable {
        case nothing
        case row(StoredRow)
        /// A compaction dropped the version before.
        case gone
    }

    let versions: [(version: ObjectVersion, before: Before)]
    /// The versions that were not read yet. The first of them was read, because the last version
    /// needs it as its version before.
    private let rest: ObjectHistory
    private let next: ObjectVersion?

    /// Reads the first `limit` versions, and one more.
    init(_ history: ObjectHistory, limit: Int) throws(DaybookError) {
        var history = history
        let first = try history.next()
        try self.init(history, first, limit: limit)
    }

    private init(
        _ history: ObjectHistory, _ first: ObjectVersion?, limit: Int
    ) throws(DaybookError) {
        var (rest, next) = (history, first)
        var versions: [(version: ObjectVersion, before: Before)] = []
        while versions.count < limit, let version = next {
            try OperationCancellation.checkCurrent()
            next = try rest.next()
            var before = Before.nothing
            if let row = next?.row {
                before = .row(row)
            } else if next == nil, version.previous > 0 {
                before = .gone
            }
            versions.append((version, before))
        }
        (self.versions, self.rest, self.next) = (versions, rest, next)
    }

    /// Whether a compaction dropped the versions before the last one of the history.
    var isTruncated: Bool { rest.end == .compacted }

    /// Whether there are versions before the last of these.
    var hasOlder: Bool { next != nil }

    /// Reads the next `limit` versions. Empty without older versions.
    func older(limit: Int) throws(DaybookError) -> HistoryPart {
        try HistoryPart(rest, next, limit: limit)
    }
}
