internal import Synchronization

/// Holds the space that is in use, and swaps it for another without stopping anybody.
///
/// Spaces that were replaced are kept until the slot goes, so a reader that found one just before
/// the swap may go on with it; there are few, for a space is replaced only when its snapshot proves
/// to be damaged.
@safe
@usableFromInline package final class PageSpaceSlot: @unchecked Sendable {
    // SENDABLE: the address of the newest space is an atomic, and all spaces are behind a Mutex.
    private let newest: Atomic<UnsafeRawPointer>
    private let spaces: Mutex<[PageSpace]>

    package init(_ space: PageSpace) {
        // SAFETY: `spaces` retains the space as long as the slot lives.
        unsafe newest = Atomic(UnsafeRawPointer(Unmanaged.passUnretained(space).toOpaque()))
        spaces = Mutex([space])
    }

    /// The newest space.
    package var current: PageSpace {
        // SAFETY: `spaces` retains every space that was ever put in `newest`.
        unsafe Unmanaged.fromOpaque(newest.load(ordering: .acquiring)).takeUnretainedValue()
    }

    /// Makes another space the newest. Pins and reads of the older ones stay good.
    package func replace(with space: PageSpace) {
        spaces.withLock { spaces in
            spaces.append(space)
            // SAFETY: `spaces` has just retained it.
            unsafe newest.store(
                UnsafeRawPointer(Unmanaged.passUnretained(space).toOpaque()), ordering: .releasing)
        }
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
    package func pin() -> PagePin { current.pin() }

    /// A claimed version, and the space it belongs to.
    @safe
    @usableFromInline
    struct Claim {
        @usableFromInline let claim: PageSpace.Claim
        let space: Unmanaged<PageSpace>
    }

    @usableFromInline
    func enter() -> Claim {
        // SAFETY: as in `current`.
        let space = unsafe Unmanaged<PageSpace>.fromOpaque(newest.load(ordering: .acquiring))
        return unsafe Claim(claim: space._withUnsafeGuaranteedRef { $0.enter() }, space: space)
    }

    @usableFromInline
    func leave(_ claim: Claim) {
        // SAFETY: as in `current`.
        unsafe claim.space._withUnsafeGuaranteedRef { $0.leave(claim.claim) }
    }
}
