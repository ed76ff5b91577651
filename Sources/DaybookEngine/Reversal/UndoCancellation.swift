import DaybookIndex

/// Which later commits have been undone as a whole: they and what undid them changed nothing,
/// taken together, so they stand in nobody's way.
struct UndoCancellation {
    private var undos: [(sequence: UInt64, range: ClosedRange<UInt64>)] = []
    private var first: UInt64?

    /// Notes a commit that came later, in the order of time.
    mutating func note(_ commit: CommitRecord) {
        if first == nil { first = commit.sequence }
        guard let range = UndoNote.undone(commit.metadata) else { return }
        undos.append((commit.sequence, range))
    }

    /// The commits that count for nothing. Ranges, for a note may name many.
    func cancelled() -> [ClosedRange<UInt64>] {
        var cancelled: [ClosedRange<UInt64>] = []
        guard let first else { return cancelled }
        // The newest first: what undid a commit may have been undone itself.
        for undo in undos.reversed() where !cancelled.contains(undo.sequence) {
            guard undo.range.lowerBound >= first, undo.range.upperBound < undo.sequence else {
                continue
            }
            cancelled.append(undo.sequence...undo.sequence)
            cancelled.append(undo.range)
        }
        return cancelled
    }
}

extension [ClosedRange<UInt64>] {
    func contains(_ sequence: UInt64) -> Bool { contains { $0.contains(sequence) } }
}

/// How an undo is noted in the metadata of its commit.
package enum UndoNote {
    package static let causeKey = "cause"
    package static let authorKey = "author"
    /// Names the commits that an undo took back as a whole, by a transaction of its own.
    package static let undoneKey = "undone"

    /// What is noted: `undo:7`, or `undo:7-9` for several; `redo:` where an undo was taken back.
    static func cause(_ range: ClosedRange<UInt64>, isRedo: Bool) -> String {
        (isRedo ? "redo:" : "undo:") + text(range)
    }

    static func text(_ range: ClosedRange<UInt64>) -> String {
        range.lowerBound == range.upperBound
            ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
    }

    /// The commits that an undo took back as a whole.
    static func undone(_ metadata: [String: String]) -> ClosedRange<UInt64>? {
        metadata[undoneKey].flatMap { range($0[...]) }
    }

    /// What an undo or a redo took back, be it in part; nil for any other commit.
    static func target(
        _ metadata: [String: String]
    ) -> (range: ClosedRange<UInt64>, isRedo: Bool)? {
        guard let cause = metadata[causeKey] else { return nil }
        for (word, isRedo) in [("undo:", false), ("redo:", true)] where cause.hasPrefix(word) {
            return range(cause.dropFirst(word.count)).map { ($0, isRedo) }
        }
        return nil
    }

    private static func range(_ text: Substring) -> ClosedRange<UInt64>? {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let lower = parts.first.flatMap({ UInt64($0) }), let upper = UInt64(parts.last ?? ""),
            lower > 0, lower <= upper
        else { return nil }
        return lower...upper
    }
}
