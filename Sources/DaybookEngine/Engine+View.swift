import DaybookBytes

extension Engine {
    /// A version of the store to read, for as long as it is held: the newest visible one, or that
    /// of a sequence.
    ///
    /// Cost: nothing for the newest; for another as ``pastView(at:keepsIndexes:by:_:)``. Throws
    /// `.historyTruncated` below ``historyFloor``, `.invalidArgument` for a sequence that is not
    /// there yet, `.closed`, `.corruption`.
    package func view(at sequence: UInt64? = nil) throws -> ReadView {
        try requireOpen()
        guard let sequence else { return ReadView(slot.pin(), log) }
        return try pastView(at: try self.sequence(at: .sequence(sequence)))
    }
}
