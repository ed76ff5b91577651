import DaybookBytes
@testable import DaybookEngine
import DaybookTestSupport
import Testing

/// Follows the changes of a ``ChangeStory`` and compares them with the expected changes.
struct ChangeSubscriber {
    /// The last processed sequence: all that remains when the process dies.
    var seen: UInt64
    let isFollowing: Bool
    var reader: ChangeReader?
    /// The part received so far of a state that replaces the changes.
    private var state = ChangeStory.State()

    init(seen: UInt64, isFollowing: Bool) {
        self.seen = seen
        self.isFollowing = isFollowing
    }

    /// Reads up to `count` commits. Returns the number of commits read.
    mutating func read(
        _ store: GraphStore, count: Int, _ expected: [UInt64: [String]],
        _ states: [UInt64: ChangeStory.State]
    ) throws -> Int {
        if reader == nil { reader = try ChangeReader(store.engine, after: seen) }
        var readCount = 0
        while readCount < count, let commit = try reader?.next() {
            readCount += 1
            try demand(commit.sequence <= store.engine.commitSignal.sequence, "delivered too soon")
            if commit.isState {
                try take(commit, store)
                if commit.resumeSequence == commit.sequence {
                    try demand(state == states[commit.sequence], "state \(commit.sequence)")
                }
            } else {
                try demand(commit.sequence == seen + 1, "\(commit.sequence) after \(seen)")
                if let lines = try lines(commit, store) {
                    try demand(lines == expected[seen + 1], "sequence \(seen + 1): \(lines)")
                }
            }
            seen = commit.resumeSequence
        }
        return readCount
    }

    /// Continues with the whole state instead of the dropped changes.
    mutating func startOver(_ store: GraphStore) throws {
        state = ChangeStory.State()
        reader = try ChangeReader(store.engine, withStateInsteadOf: seen)
    }

    private mutating func take(_ commit: CommitChanges, _ store: GraphStore) throws {
        for object in commit.objects {
            let row = try #require(object.after)
            let other = state.texts.updateValue(try store.text(of: row), forKey: row.id)
            try demand(other == nil, "object \(row.id) twice")
        }
        for link in commit.links {
            let isNew = state.links.insert([link.source, link.target]).inserted
            try demand(link.isLink && isNew, "link \(link)")
        }
    }

    /// Returns a summary of the commit; nil if a compaction has dropped the previous versions.
    private func lines(_ commit: CommitChanges, _ store: GraphStore) throws -> [String]? {
        var lines: [String] = []
        for (index, object) in commit.objects.enumerated() {
            var before: String?
            switch try commit.versionBefore(index) {
            case .none: break
            case .row(let row): before = try store.text(of: row)
            case .gone:
                try demand(object.previous < store.engine.historyFloor, "gone too soon")
                return nil
            }
            let sign = object.kind == .remove ? "-" : before == nil ? "+" : "="
            let after = try object.after.map { " " + (try store.text(of: $0)) } ?? ""
            lines.append("\(sign)\(object.id)\(after)" + (before.map { " (\($0))" } ?? ""))
        }
        for link in commit.links {
            lines.append("\(link.isLink ? "link" : "unlink") \(link.source) \(link.target)")
        }
        return lines.sorted()
    }
}
