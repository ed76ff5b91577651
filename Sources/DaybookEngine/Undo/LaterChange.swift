import DaybookRecords

extension UndoHistory {
    /// The change of an object by a later commit.
    struct LaterChange {
        enum Kind: Equatable {
            /// The commit changed the properties with these numbers.
            case changed(Set<UInt32>)
            case removed
            /// The commit inserted the object again after its removal.
            case inserted
            /// An undo inserted the object again. It is probably the removed object.
            case restored(Restoration)
        }

        var sequence: UInt64
        var kind: Kind
    }

    /// The reinsertion of a removed object by a commit that undid other commits.
    struct Restoration: Equatable {
        /// The commits that it undid.
        var undone: [ClosedRange<UInt64>]
        /// Whether the commit did nothing else and skipped nothing. Otherwise the program may have
        /// inserted the object, not the undo.
        var isWhole: Bool
        /// The properties that differ from those before the removal, as far as known.
        var properties: Set<UInt32>
    }
}

extension UndoHistory.LaterChange {
    func changes(_ property: UInt32) -> Bool {
        if case .changed(let properties) = kind { properties.contains(property) } else { false }
    }
}

extension Undo {
    /// Returns the changes that were not cancelled by a later undo.
    func counting(
        _ later: [UndoHistory.LaterChange]
    ) -> [UndoHistory.LaterChange] {
        later.filter { !cancelled.contains($0.sequence) }
    }

    /// Returns the changes with each removal and its undo joined: an object that an undo restored
    /// counts as the removed object, with the properties that both commits changed together. An
    /// undo and the redo before it are such a pair, even if the commits that they undid precede the
    /// range of this history.
    func joined(
        _ later: [UndoHistory.LaterChange]
    ) -> [UndoHistory.LaterChange] {
        var left: [UndoHistory.LaterChange] = []
        for change in later {
            guard case .restored(let restoration) = change.kind, let removal = left.last,
                removal.kind == .removed, isTakenBack(removal.sequence, by: restoration)
            else {
                left.append(change)
                continue
            }
            left.removeLast()
            guard !restoration.isWhole || !restoration.properties.isEmpty else { continue }
            left.append(
                UndoHistory.LaterChange(
                    sequence: change.sequence, kind: .changed(restoration.properties)))
        }
        return left
    }

    /// Whether the restoration reverses this removal. False if the removal undid the range that is
    /// to be undone now, and the restoration did not undo that removal: then the object exists for
    /// another reason.
    private func isTakenBack(
        _ removal: UInt64, by restoration: UndoHistory.Restoration
    ) -> Bool {
        !history.ownUndos.contains(removal)
            || restoration.undone.contains { $0.contains(removal) }
    }
}
