/// The metadata of undo commits: the cause, for people, and reserved keys that programs cannot set,
/// for later undos.
package enum UndoNote {
    package static let causeKey = "cause"
    package static let authorKey = "author"
    /// Names the commits that an undo reverted completely in a transaction of its own.
    package static let undoneKey = PendingMetadata.ownPrefix + "undone"
    /// Names the commits that undos reverted, also partly or as part of a larger transaction.
    package static let undoKey = PendingMetadata.ownPrefix + "undo"
    /// Names the commits that redos (undos of undos) reverted.
    package static let redoKey = PendingMetadata.ownPrefix + "redo"

    /// Adds the metadata of an undo or redo.
    static func note(
        _ range: ClosedRange<UInt64>, isRedo: Bool, isWhole: Bool, in noted: inout PendingMetadata
    ) {
        let text = PendingMetadata.text(range)
        noted.note(own: causeKey, (isRedo ? "redo:" : "undo:") + text)
        noted.note(own: isRedo ? redoKey : undoKey, text, isList: true)
        if isWhole { noted.note(own: undoneKey, text) }
    }

    /// The commits that an undo reverted completely.
    static func undone(_ metadata: [String: String]) -> ClosedRange<UInt64>? {
        metadata[undoneKey].flatMap { range($0[...]) }
    }

    /// The commits that a commit reverted, also partly; empty if it is neither undo nor redo.
    static func targets(_ metadata: [String: String]) -> [ClosedRange<UInt64>] {
        [undoKey, redoKey].flatMap { key in
            (metadata[key] ?? "").split(separator: ",").compactMap { range($0) }
        }
    }

    /// Whether a commit is an undo and not a redo.
    static func isUndo(_ metadata: [String: String]) -> Bool { metadata[undoKey] != nil }

    private static func range(_ text: Substring) -> ClosedRange<UInt64>? {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let lower = parts.first.flatMap({ UInt64($0) }), let upper = UInt64(parts.last ?? ""),
            lower > 0, lower <= upper
        else { return nil }
        return lower...upper
    }
}
