package import DaybookBytes

/// A state that a power failure may leave in a ``MemoryFileSystem``.
package struct CrashImage: Sendable {
    /// The rules by which unsynced operations survive.
    package enum Category: String, CaseIterable, Sendable {
        /// No unsynced operation survived.
        case allLost
        /// All operations survived.
        case allKept
        /// The operations up to one of them survived, across all files.
        case prefix
        /// All operations but one survived.
        case oneDropped
        /// A part of the last write survived.
        case lastWriteTorn
        /// A part of the last write survived, and the sector at its end is zeros or garbage.
        case sectorDamaged
        /// Random sectors, names and sizes survived.
        case random
        /// Files have the sizes of the writes, without the bytes.
        case sizeWithoutData
        /// Some creations, renames and removals survived, each completely.
        case names
        /// Files have the lengths before their truncation.
        case truncationUndone
    }

    /// The rule that produced the state.
    package let category: Category
    /// A hash; equal states have equal hashes.
    package let hash: UInt64

    let volume: MemoryVolume
    let plan: CrashPlan
    let story: CrashStory

    /// The operations that survived, for debugging.
    package var description: String { story.tell(plan, category) }

    /// A file system with the files of the state and without locks. With `recording`, a crash of
    /// the recovery can be simulated too.
    package func makeFileSystem(recording: Bool = false) -> MemoryFileSystem {
        MemoryFileSystem(volume: volume, recording: recording)
    }
}

extension CrashImage: CustomStringConvertible {}

extension MemoryFileSystem {
    /// Visits the states that a power failure after the first `operation` operations may leave.
    ///
    /// A completed sync of a file covers its bytes and its size, but not its name; a completed sync
    /// of a directory covers the names in it. Every image contains all covered operations. Other
    /// operations may survive in any order across files; each category defines how. A sector has
    /// 512 bytes; a torn sector damages no byte outside the write. A rename moves the file or has
    /// no effect. A sync that a ``FaultFileSystem`` fails covers nothing, and no later sync covers
    /// the writes before it.
    ///
    /// A call visits each image once. An image costs a few microseconds and shares equal bytes
    /// with other images.
    ///
    /// - Parameters:
    ///   - operation: from 0 to ``operationCount``.
    ///   - seed: chooses the random images and the garbage; the same seed gives the same images.
    ///   - randomCount: the number of random images.
    package func visitCrashImages(
        after operation: Int, seed: UInt64, randomCount: Int,
        visit: (CrashImage) throws -> Void
    ) rethrows {
        guard let journal = journal else {
            preconditionFailure("only a recording file system can be crashed")
        }
        precondition(
            operation >= 0 && operation <= journal.operations.count, "no such operation")
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
}
