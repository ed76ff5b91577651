/// One state of a ``MemoryFileSystem`` that is possible after a power failure.
package struct CrashImage: Sendable {
    /// How unsynced operations survive.
    package enum Category: String, CaseIterable, Sendable {
        /// No unsynced operation survived.
        case allLost
        /// All operations survived.
        case allKept
        /// A prefix of the operations survived, across all files.
        case prefix
        /// All operations except one survived.
        case oneDropped
        /// The last write survived in part.
        case lastWriteTorn
        /// The last write survived in part, and the sector at the tear is zeros or garbage.
        case sectorDamaged
        /// An arbitrary set of sectors, names and sizes survived.
        case random
        /// Files kept the sizes they grew to, but not the bytes.
        case sizeWithoutData
        /// An arbitrary set of creations, renames and removals survived, each as a whole.
        case names
        /// Truncations were undone: files have their old length.
        case truncationUndone
    }

    /// The category that produced the image.
    package let category: Category
    /// A hash that is equal for equal states.
    package let hash: UInt64

    let volume: MemoryVolume
    let plan: CrashPlan
    let story: CrashStory

    /// The operations that survived, as text for debugging.
    package var description: String { story.tell(plan, category) }

    /// A file system with the files of this image and without locks. With `recording`, recovery
    /// itself can be interrupted by a power failure.
    package func makeFileSystem(recording: Bool = false) -> MemoryFileSystem {
        MemoryFileSystem(volume: volume, recording: recording)
    }
}

extension CrashImage: CustomStringConvertible {}

extension MemoryFileSystem {
    /// Visits the states that are possible if the power fails after the first `operation`
    /// operations.
    ///
    /// A completed sync of a file covers its bytes and its size, but not its name. A sync of a
    /// directory covers the names in it. Every image contains all covered operations. Any other
    /// operation may survive, in any order across files, as described by each category. Sectors
    /// have 512 bytes; a torn sector damages no byte outside the write. A rename moves a file or
    /// has no effect; it never loses the file. A sync that a ``FaultFileSystem`` made fail covers
    /// nothing, and no later sync covers the writes before it.
    ///
    /// Equal images are visited once per call. An image takes some microseconds and shares common
    /// bytes with other images.
    ///
    /// - Parameters:
    ///   - operation: from 0 to ``operationCount``.
    ///   - seed: selects the random images and the garbage. The same seed gives the same images.
    ///   - randomCount: the number of random images to try.
    package func visitCrashImages(
        after operation: Int, seed: UInt64, randomCount: Int,
        visit: (CrashImage) throws -> Void
    ) rethrows {
        guard let journal = state.withLock({ $0.journal }) else {
            preconditionFailure("only a recording file system has crash images")
        }
        precondition(
            operation >= 0 && operation <= journal.operations.count,
            "the operation is outside the journal")
        let states = CrashStates(journal, after: operation)
        let hasher = CrashHasher(states)
        let story = CrashStory(states, operation: operation, seed: seed)
        var seen: Set<UInt64> = []
        try states.forEachPlan(seed: seed, randomCount: randomCount) { category, plan in
            let volume = states.volume(plan, seed: seed)
            let hash = hasher.hash(volume)
            guard seen.insert(hash).inserted else { return }
            try visit(
                CrashImage(
                    category: category, hash: hash, volume: volume, plan: plan, story: story))
        }
    }

    /// A file system as the next process finds it if this process is killed after the first
    /// `operation` operations, without locks. All operations survive, and recording continues: a
    /// power failure may still lose operations that no sync covered.
    package func afterKill(at operation: Int) -> MemoryFileSystem {
        guard var journal = state.withLock({ $0.journal }) else {
            preconditionFailure("only a recording file system has earlier states")
        }
        precondition(
            operation >= 0 && operation <= journal.operations.count,
            "the operation is outside the journal")
        journal.operations.removeLast(journal.operations.count - operation)
        var volume = journal.base
        for done in journal.operations { volume.apply(done) }
        return MemoryFileSystem(volume: volume, journal: journal)
    }
}
