import DaybookRecords

extension UndoHistory {
    /// What a later commit did to an object.
    struct LaterChange {
        enum Kind: Equatable {
            /// It was changed, in the properties of these numbers.
            case changed(Set<UInt32>)
            case removed
            /// It was put anew after it had been removed.
            case inserted
            /// The same by an undo: it is likely the one that it was.
            case restored(Restoration)
        }

        var sequence: UInt64
        var kind: Kind
    }

    /// The return of a removed object in a commit that took others back.
    struct Restoration: Equatable {
        /// What that commit took back.
        var undone: [ClosedRange<UInt64>]
        /// Whether it did nothing else, and left out nothing. Else a program may have put the
        /// object, and not the undo.
        var isWhole: Bool
        /// The properties that are not as they were before the removal, as far as that is known.
        var properties: Set<UInt32>
    }
}

extension UndoHistory.LaterChange {
    func changes(_ property: UInt32) -> Bool {
        if case .changed(let properties) = kind { properties.contains(property) } else { false }
    }
}

extension Undo {
    /// Those of an object's later changes that count.
    func counting(
        _ later: [UndoHistory.LaterChange]
    ) -> [UndoHistory.LaterChange] {
        later.filter { !cancelled.contains($0.sequence) }
    }

    /// The same, with an object that an undo put back taken for the one that was removed: of both
    /// stays what they changed together. An undo and the redo before it are such a pair, be what
    /// they took back older than all that is looked at here.
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

    /// Not so where the removal took back what is to be undone, and the return did not take back
    /// that: then the object is there for another reason.
    private func isTakenBack(
        _ removal: UInt64, by restoration: UndoHistory.Restoration
    ) -> Bool {
        !history.ownUndos.contains(removal)
            || restoration.undone.contains { $0.contains(removal) }
    }
}
