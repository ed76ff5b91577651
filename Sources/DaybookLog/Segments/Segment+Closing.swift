import DaybookBytes

extension Segment {
    /// Whether the file is open and may be closed.
    var hasClosableFile: Bool {
        slot.withLock { $0.file != nil && $0.files != nil && !$0.isKept }
    }

    /// Lets `files` close the file while nobody uses it.
    func allowClosing(_ files: OpenSegmentFiles) {
        slot.withLock { $0.files = files }
        files.add(self)
    }

    /// Closes the file, unless it was used since the last call. Returns false if it was used.
    func closeUnlessUsed() -> Bool {
        slot.withLock { slot in
            guard slot.files != nil, !slot.isKept else { return true }
            defer { slot.isUsed = false }
            if slot.isUsed { return false }
            slot.file = nil
            slot.dictionary = nil
            return true
        }
    }

    /// Keeps the file open while this object lives, because its name will vanish. Returns false if
    /// it cannot be opened, or if too many files are kept open.
    @discardableResult
    func keepOpen() -> Bool {
        guard let file = try? sharedFile() else { return false }
        return slot.withLock { slot in
            guard let files = slot.files, !slot.isKept else { return true }
            guard files.keep() else { return false }
            slot.file = file
            slot.isKept = true
            return true
        }
    }

    /// Whether the segment was discarded and its file still has its name.
    var isDiscarded: Bool { slot.withLock { $0.isDiscarded } }

    /// Removes the file, which no manifest names. The users of this object can still read it.
    func discard() {
        slot.withLock { $0.isDiscarded = true }
        removeIfDiscarded(isUsed: true)
    }

    /// Removes the file of a discarded segment, unless it is in use and too many such files are
    /// open. The next opening removes files that cannot be removed now.
    func removeIfDiscarded(isUsed: Bool) {
        guard isDiscarded, !isUsed || keepOpen() else { return }
        slot.withLock { $0.isDiscarded = false }
        try? fileSystem.remove(path)
    }
}
