internal import Synchronization

/// Contains the current space, and replaces it without stopping readers.
///
/// **Why a space is never discarded under a reader.** A reader (1) loads the newest space, (2)
/// claims a version of it, (3) loads the newest space again and starts over if it changed. Only
/// then does it read pages. A replacement (a) stores another space as the newest, and later (b)
/// examines the claims of the old one. All these accesses have one total order. If (2) is before
/// (b), the replacement sees the claim and keeps the pages. If it is after, then (3) is after (a),
/// so the reader starts over with the newer space. To allow (2) at any time, the slot retains the
/// reader registry of each discarded space, without its pages.
@safe
@usableFromInline package final class PageSpaceSlot: @unchecked Sendable {
    // SENDABLE: the address of the newest space is an atomic, and a Mutex protects all spaces.
    private let newest: Atomic<UnsafeRawPointer>
    private let spaces: Mutex<Spaces>

    private struct Spaces {
        /// Spaces with pages, the newest last.
        var inUse: [PageSpace]
        /// Spaces without pages whose reader registry may still be in use.
        var discarded: [PageSpace] = []
    }

    package init(_ space: PageSpace) {
        // SAFETY: `spaces` retains the space as long as the slot lives.
        unsafe newest = Atomic(Self.address(space))
        spaces = Mutex(Spaces(inUse: [space]))
    }

    /// The newest space. Only the owner of the slot, which alone replaces the space, may read or
    /// change it without a pin.
    package var current: PageSpace {
        // SAFETY: `spaces` retains every space that was ever stored in `newest`.
        unsafe Unmanaged.fromOpaque(newest.load(ordering: .acquiring)).takeUnretainedValue()
    }

    /// Replaces the newest space. Pins and reads of older spaces stay valid; the pages of spaces
    /// without reads are freed.
    package func replace(with space: PageSpace) {
        spaces.withLock { spaces in
            spaces.inUse.append(space)
            // SAFETY: `spaces` has just retained it.
            unsafe newest.store(Self.address(space), ordering: .sequentiallyConsistent)
            Self.discardUnread(&spaces)
        }
    }

    /// The sequence of the oldest version in use, in any space, or of the published version if no
    /// reads are running. Later reads use this version or a newer one. (The sequences of a space
    /// must continue those of its predecessor.) Discards older spaces without reads.
    package var oldestPinnedSequence: UInt64 {
        spaces.withLock { spaces in
            Self.discardUnread(&spaces)
            let older = spaces.inUse.dropLast().compactMap(\.oldestClaim)
            return older.reduce(current.oldestPinnedSequence, min)
        }
    }

    /// The number of running reads and pinned versions, in all spaces.
    package var readerCount: Int {
        spaces.withLock { spaces in spaces.inUse.reduce(0) { $0 + $1.readers.readerCount } }
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
        // SAFETY: only an address; each use explains why the space is alive.
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

    /// ``PageSpace/pinVersion()`` of the newest space.
    package func pinVersion() -> VersionPin {
        while true {
            let space = current
            let pin = VersionPin(space)
            // SAFETY: the addresses are only compared, and `space` is retained.
            if unsafe isNewest(Self.address(space)) { return pin }
        }
    }

    /// Whether that is still the newest space; called after claiming a version of it.
    @inline(__always)
    private func isNewest(_ address: UnsafeRawPointer) -> Bool {
        // SAFETY: the addresses are only compared.
        unsafe newest.load(ordering: .sequentiallyConsistent) == address
    }

    /// A claimed version and its space.
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
    /// The oldest version in use; nil if no reads are running.
    fileprivate var oldestClaim: UInt64? {
        var sequences: [UInt64] = []
        _ = readers.look(into: &sequences)
        return sequences.first
    }
}
