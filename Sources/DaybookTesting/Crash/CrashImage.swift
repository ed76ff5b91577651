package import DaybookBytes

/// One state in which a power cut may leave a ``MemoryFileSystem``.
package struct CrashImage: Sendable {
    /// The ways in which unsynced operations survive or do not.
    package enum Category: String, CaseIterable, Sendable {
        /// Nothing unsynced survived.
        case allLost
        /// Everything survived.
        case allKept
        /// The operations survived up to one, across all files.
        case prefix
        /// All survived but one.
        case oneDropped
        /// The last write landed in part.
        case lastWriteTorn
        /// The last write landed in part, and the sector at the tear is zeros or garbage.
        case sectorDamaged
        /// Any sectors, names and sizes survived.
        case random
        /// Files have the sizes they grew to, without the bytes.
        case sizeWithoutData
        /// Any creations, renames and removals survived, each as a whole.
        case names
        /// Files are as long as before they were cut.
        case truncationUndone
    }

    /// How the state came about.
    package let category: Category
    /// A number that equal states share.
    package let hash: UInt64

    let volume: MemoryVolume
    let plan: CrashPlan
    let story: CrashStory

    /// What survived, for a person who looks for the bug.
    package var description: String { story.tell(plan, category) }

    /// Files that are exactly as the power cut left them, no lock taken. With `recording`,
    /// recovery can itself be cut off.
    package func makeFileSystem(recording: Bool = false) -> MemoryFileSystem {
        MemoryFileSystem(volume: volume, recording: recording)
    }
}

extension CrashImage: CustomStringConvertible {}

extension MemoryFileSystem {
    /// Shows the states that a power cut may leave behind after the first `operation` operations.
    ///
    /// A completed sync of a file covers its bytes and its size, but not its name; that of a
    /// directory covers the names in it. What is covered is in every image. Of the rest anything
    /// may survive, in any order across files: each category says how. Sectors are of 512 bytes;
    /// a torn one damages no byte beside the write. A rename moves the file or does not; it never
    /// loses it. A sync that a ``FaultFileSystem`` made fail covers nothing, and what was written
    /// before it is covered by no later one.
    ///
    /// Equal images are shown once a call. An image costs some microseconds and shares all bytes
    /// that it has in common with others.
    ///
    /// - Parameters:
    ///   - operation: from 0 to ``operationCount``.
    ///   - seed: chooses the random images and the garbage; the same seed gives the same images.
    ///   - randomCount: how many random images are tried.
    package func visitCrashImages(
        after operation: Int, seed: UInt64, randomCount: Int,
        visit: (CrashImage) throws -> Void
    ) rethrows {
        guard let journal = journal else {
            preconditionFailure("only a recording file system knows what a power cut may leave")
        }
        precondition(
            operation >= 0 && operation <= journal.operations.count, "that much has not happened")
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
