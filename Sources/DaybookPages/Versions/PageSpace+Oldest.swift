extension PageSpace {
    /// The sequence of the oldest version that anyone reads; the published one's where nobody
    /// reads. Whoever begins to read from now on gets this one or a newer.
    package var oldestPinnedSequence: UInt64 {
        var pinned: [UInt64] = []
        let published = readers.look(into: &pinned)
        return min(published, pinned.first ?? published)
    }

    /// Whether anyone reads any version. In a space that its slot has replaced nobody begins to any
    /// more, save for a thread that was suspended between finding it and entering it.
    package var isRead: Bool {
        var pinned: [UInt64] = []
        _ = readers.look(into: &pinned)
        return !pinned.isEmpty
    }
}
