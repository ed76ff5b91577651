package import DaybookBytes

extension Log {
    /// Reserves consecutive segment numbers, which are used up even if the compaction fails.
    ///
    /// The manifest records the reservation before any file has such a number, so that recovery can
    /// identify leftovers of a crash. Throws `.outOfSpace` without effect if too few slots are
    /// free.
    package func takeSegmentNumbers(_ count: Int) throws(DaybookError) -> Range<UInt64> {
        let numbers = try reserveSegmentNumbers(count)
        try commitManifest { _ in }
        return numbers
    }

    /// Makes a finished segment readable before a manifest names it.
    package func admit(_ segment: Segment) {
        segment.allowClosing(files)
        addReserved(segment)
    }

    /// Replaces sealed segments by finished ones. The manifest is the commit point; the names of
    /// its files are durable before it. The old files stay until ``discard(_:)``.
    package func replace(
        _ old: [UInt64], with new: [SegmentEntry], historyFloor: UInt64
    ) throws(DaybookError) {
        try commitManifest { manifest in
            let place = manifest.sealed.firstIndex { old.contains($0.number) } ?? 0
            manifest.sealed.removeAll { old.contains($0.number) }
            manifest.sealed.insert(contentsOf: new, at: place)
            manifest.historyFloor = max(manifest.historyFloor, historyFloor)
        }
    }

    /// Records that no index entry of the newest version points into these segments.
    package func markReplaced(_ numbers: [UInt64]) {
        catalog.withLock { $0.replaced.formUnion(numbers) }
    }

    /// Reverts ``markReplaced(_:)`` after a failed compaction.
    package func unmarkReplaced(_ numbers: [UInt64]) {
        catalog.withLock { $0.replaced.subtract(numbers) }
    }

    /// Discards the segments of a failed compaction, by the numbers that it reserved. (A segment
    /// with a higher number may belong to a running commit.)
    package func discardUnnamed(_ numbers: Range<UInt64>) {
        guard let names = try? fileSystem.list(directory) else { return }
        let named = manifest.segmentNumbers
        for name in names {
            if case .segment(_, let found)? = StoreFileName(name), numbers.contains(found),
                !named.contains(found)
            {
                try? fileSystem.remove(directory + "/" + name)
            }
        }
    }

    /// Unlinks segments that no manifest names. They stay readable for the readers of older
    /// versions, until ``release(_:)``.
    package func discard(_ numbers: [UInt64]) {
        let gone = segments.withLock { segments in numbers.compactMap { segments.segment($0) } }
        for segment in gone { segment.discard() }
        try? fileSystem.syncDirectory(directory)
    }

    /// Releases discarded segments that no version points into. They close when their last user
    /// releases them.
    package func release(_ numbers: [UInt64]) {
        var gone = segments.withLock { $0.release(numbers) }.filter(\.isDiscarded)
        while var segment = gone.popLast() {
            let isUsed = !isKnownUniquelyReferenced(&segment)
            segment.removeIfDiscarded(isUsed: isUsed)
        }
        catalog.withLock { $0.replaced.subtract(numbers) }
    }

    /// Whether a segment is open: the manifest names it, or a reader still uses it.
    package func isInUse(_ number: UInt64) -> Bool { segment(number) != nil }

    /// Reads a sealed segment and compares it with its hash.
    package func verify(_ entry: SegmentEntry) throws(DaybookError) {
        guard let segment = segment(entry.number) else {
            throw .corruption(segment: entry.number, offset: 0, "it is missing")
        }
        try segment.requireContent(of: entry)
    }
}
