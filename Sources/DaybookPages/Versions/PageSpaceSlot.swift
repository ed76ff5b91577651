internal import Synchronization

/// Holds the space that is in use, and swaps it for another without stopping anybody.
///
/// **Why a space is never discarded under a reader.** A reader (1) reads which space is the newest,
/// (2) claims a version of it, (3) reads again which one is the newest, and begins anew where that
/// has changed; only then does it walk pages. A replacement (a) names another space the newest,
/// and later (b) looks at the claims of the old one. All these accesses have one order. If (2)
/// comes before (b), the claim is seen, and the pages stay. If it comes after, then (3) comes after
/// (a), so the reader turns to the newer space. For (2) itself the marks of a space's readers stay
/// until the slot goes, without its pages.
@safe
@usableFromInline package final class PageSpaceSlot: @unchecked Sendable {
    // SENDABLE: the address of the newest space is an atomic, and all spaces are behind a Mutex.
    private let newest: Atomic<UnsafeRawPointer>
    private let spaces: Mutex<Spaces>

    private struct Spaces {
        /// Spaces that have pages, the newest last.
        var inUse: [PageSpace]
        /// Spaces without pages, of which a reader may still look at the marks.
        var discarded: [PageSpace] = []
    }

    package init(_ space: PageSpace) {
        // SAFETY: `spaces` retains the space as long as the slot lives.
        unsafe newest = Atomic(Self.address(space))
        spaces = Mutex(Spaces(inUse: [space]))
    }

    /// The newest space. Only whoever may replace it may also read or change it without a pin.
    package var current: PageSpace {
        // SAFETY: `spaces` retains every space that was ever put in `newest`.
        unsafe Unmanaged.fromOpaque(newest.load(ordering: .acquiring)).takeUnretainedValue()
    }

    /// Makes another space the newest. Pins and reads of the older ones stay good; the pages of
    /// those that nobody reads are given back.
    package func replace(with space: PageSpace) {
        spaces.withLock { spaces in
            spaces.inUse.append(space)
            // SAFETY: `spaces` has just retained it.
            unsafe newest.store(Self.address(space), ordering: .sequentiallyConsistent)
            Self.discardUnread(&spaces)
        }
    }

    /// The sequence of the oldest version that anyone reads, whichever space it is of; the
    /// published one's where nobody reads. Whoever begins to read from now on gets that one or a
    /// newer. (The sequences of a space must go on from those of the one before.) Older spaces that
    /// nobody reads any more are let go of.
    package var oldestPinnedSequence: UInt64 {
        spaces.withLock { spaces in
            Self.discardUnread(&spaces)
            let older = spaces.inUse.dropLast().compactMap(\.oldestClaim)
            return older.reduce(current.oldestPinnedSequence, min)
        }
    }

    private static func discardUnread(_ spaces: inout Spaces) {
        let unread = spaces.inUse.dropLast().filter { $0.oldestClaim == nil }
        for space in unread {
            space.discardPages()
            spaces.discarded.append(space)
        }
        spaces.inUse.removeAll { space in unread.contains { $0 === space } }
    }

    private static func address(_ space: PageSpace) -> UnsafeRawPointer {
        // SAFETY: only an address; whoever goes back from it says why the space is still there.
        unsafe UnsafeRawPointer(Unmanaged.passUnretained(space).toOpaque())
    }

    /// ``PageSpace/withPinned(_:)`` of the newest space.
    @inlinable
    package func withPinned<Result, Failure: Error>(
        _ body: (PageReader) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let claim = enter()
        defer { leave(claim) }
        return try body(claim.claim.reader)
    }

    /// ``PageSpace/pin()`` of the newest space.
    package func pin() -> PagePin {
        while true {
            let space = current
            let pin = PagePin(space)
            // SAFETY: addresses are compared only, and `space` is held.
            if unsafe isNewest(Self.address(space)) { return pin }
        }
    }

    /// Whether that is still the newest space; asked after a claim of it.
    @inline(__always)
    private func isNewest(_ address: UnsafeRawPointer) -> Bool {
        // SAFETY: addresses are compared only.
        unsafe newest.load(ordering: .sequentiallyConsistent) == address
    }

    /// A claimed version, and the space it belongs to.
    @safe
    @usableFromInline
    struct Claim {
        @usableFromInline let claim: PageSpace.Claim
        let space: Unmanaged<PageSpace>
    }

    @usableFromInline
    func enter() -> Claim {
        while true {
            let address = unsafe newest.load(ordering: .acquiring)
            // SAFETY: as in `current`.
            let space = unsafe Unmanaged<PageSpace>.fromOpaque(address)
            let claim = unsafe space._withUnsafeGuaranteedRef { $0.enter() }
            if unsafe isNewest(address) { return unsafe Claim(claim: claim, space: space) }
            // SAFETY: as in `current`.
            unsafe space._withUnsafeGuaranteedRef { $0.leave(claim) }
        }
    }

    @usableFromInline
    func leave(_ claim: Claim) {
        // SAFETY: as in `current`.
        unsafe claim.space._withUnsafeGuaranteedRef { $0.leave(claim.claim) }
    }
}

extension PageSpace {
    /// The oldest version that is being read; nil where nobody reads.
    fileprivate var oldestClaim: UInt64? {
        var sequences: [UInt64] = []
        _ = readers.look(into: &sequences)
        return sequences.first
    }
}
