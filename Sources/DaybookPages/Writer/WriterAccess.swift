internal import Synchronization

/// Accesses the writer's state without the exclusivity checks of a stored class property. The
/// caller serialises the calls, and debug builds check that.
@safe
struct WriterAccess: @unchecked Sendable {
    // SENDABLE: the caller of PageSpace uses it on one thread at a time.
    private let writer: UnsafeMutablePointer<PageWriter>
    #if DEBUG
    private let isBusy: UnsafeMutablePointer<Atomic<Bool>>
    #endif

    init(_ writer: consuming PageWriter) {
        let table = writer.table
        // SAFETY: allocated for one writer and initialised at once.
        unsafe self.writer = .allocate(capacity: 1)
        unsafe self.writer.initialize(to: writer)
        unsafe table.writer = self.writer
        #if DEBUG
        unsafe isBusy = .allocate(capacity: 1)
        unsafe isBusy.initialize(to: Atomic(false))
        #endif
    }

    func deallocate() {
        // SAFETY: `init` allocated and initialised one.
        unsafe writer.deinitialize(count: 1)
        unsafe writer.deallocate()
        #if DEBUG
        unsafe isBusy.deinitialize(count: 1)
        unsafe isBusy.deallocate()
        #endif
    }

    /// Runs `body` with the writer's state.
    @inline(__always)
    func withWriter<Result, Failure: Error>(
        _ body: (inout PageWriter) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        #if DEBUG
        // SAFETY: `init` initialised it.
        let wasBusy = unsafe isBusy.pointee.exchange(true, ordering: .acquiring)
        precondition(!wasBusy, "two threads write to a page space at once")
        defer { unsafe isBusy.pointee.store(false, ordering: .releasing) }
        #endif
        // SAFETY: `init` initialised it, and only one call at a time gets here.
        return try unsafe body(&writer.pointee)
    }
}
