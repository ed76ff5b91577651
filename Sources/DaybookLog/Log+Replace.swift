package import DaybookBytes

extension Log {
    /// The next `count` segment numbers; they are used up whether or not the compaction succeeds.
    ///
    /// A manifest says so before a file has one of them, so that recovery knows the leftovers of a
    /// crash for what they are. Throws `.outOfSpace` where there are not so many, with nothing
    /// changed.
    package func takeSegmentNumbers(_ count: Int) throws(DaybookError) -> UInt32 {
        let first = try reserveSegmentNumbers(count)
        try commitManifest { _ in }
        return first
    }

    /// Makes a finished segment readable, though no manifest names it yet.
    package func admit(_ segment: Segment) {
        segments.withLock { $0.add(segment) }
    }

    /// Puts finished segments in the place of sealed ones: the manifest is the commit point, and
    /// the names of its files are durable before it counts. The old files stay until
    /// ``discard(_:)``.
    package func replace(
        _ old: [UInt32], with new: [SegmentEntry], historyFloor: UInt64
    ) throws(DaybookError) {
        try commitManifest { manifest in
            let place = manifest.sealed.firstIndex { old.contains($0.number) } ?? 0
            manifest.sealed.removeAll { old.contains($0.number) }
            manifest.sealed.insert(contentsOf: new, at: place)
            manifest.historyFloor = max(manifest.historyFloor, historyFloor)
        }
    }

    /// Notes that no index entry of the newest version points into these segments any more.
    package func markReplaced(_ numbers: [UInt32]) {
        catalog.withLock { $0.replaced.formUnion(numbers) }
    }

    /// Takes that back, after a compaction that came to nothing.
    package func unmarkReplaced(_ numbers: [UInt32]) {
        catalog.withLock { $0.replaced.subtract(numbers) }
    }

    /// Lets go of the segments of a compaction that came to nothing: those of the numbers that it
    /// took. (A segment of a higher number may be one that a commit is just beginning.)
    package func discardUnnamed(_ numbers: Range<UInt32>) {
        guard let names = try? fileSystem.list(directory) else { return }
        let named = Set(manifest.sealed.map(\.number) + [manifest.activeNumber])
        for name in names {
            if case .segment(_, let found)? = StoreFileName(name), numbers.contains(found),
                !named.contains(found)
            {
                try? fileSystem.remove(directory + "/" + name)
            }
        }
    }

    /// Unlinks segments that no manifest names any more. They stay open for the readers of older
    /// versions, until ``release(_:)``.
    package func discard(_ numbers: [UInt32]) {
        let gone = segments.withLock { segments in numbers.compactMap { segments.segment($0) } }
        // What cannot be unlinked now is put away at the next opening.
        for segment in gone { try? fileSystem.remove(segment.path) }
        try? fileSystem.syncDirectory(directory)
    }

    /// Lets go of segments that were discarded: no version points into them any more. They close
    /// when the last fold that holds them by itself is gone.
    package func release(_ numbers: [UInt32]) {
        segments.withLock { $0.release(numbers) }
        catalog.withLock { $0.replaced.subtract(numbers) }
    }

    /// Reads a sealed segment whole and holds it against its hash.
    package func verify(_ entry: SegmentEntry) throws(DaybookError) {
        guard let segment = segment(entry.number) else {
            throw .corruption(segment: entry.number, offset: 0, "it is missing")
        }
        try segment.requireContent(of: entry)
    }
}
