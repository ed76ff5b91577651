internal import DaybookBytes
internal import Synchronization

/// Provides groups of pages that are not in a table: from the newest adopted snapshot, or from the
/// base of a fork.
///
/// A group that the snapshot contains can be evicted: its entry in the table is cleared. The memory
/// waits here, and the next use of the group links it again without a read of the file. So groups
/// in use return at once, and no lookup has to record its use. Memory that waits long enough is
/// freed.
///
/// **Why no reader uses freed memory.** The memory of a group is like a page that is retired in the
/// transaction with the number at which the group is evicted. The writer (1) clears the entry, (2)
/// publishes a version with that number, and later (3) looks at the readers; it frees the memory
/// only if (3) finds that version or a newer one published, and no slot and no hold with an older
/// number. By the proof in ``ReaderRegistry``, each reader that exists at (3) or begins later has
/// entered after (2), so it finds the entry cleared, or linked again. A hold is registered like a
/// pin, but with the published number of that moment, whatever version it reads. Both linking and
/// freeing hold the mutex. The writer evicts only between two transactions, so it has no address,
/// either.
///
/// **Why a group never returns with old content.** A group is evicted only if the adopted snapshot
/// contains all of its pages, and changes only while it is linked. A slow read of an older snapshot
/// may end after the group was changed, contained in a newer snapshot, and evicted again. But as
/// long as the slow reader reads, no memory is freed that was evicted after the reader entered. So
/// the reader finds the newer memory linked or waiting, and discards the loaded one.
final class GroupSource: Sendable {
    /// The forked version. Its groups are shared and still belong to its space.
    private let base: PagePin?
    /// The initial state of the allocator: the used pages of each group.
    let storedMasks: [UInt16]
    private let state: Mutex<State>
    /// The number of groups in memory, linked or waiting.
    private let memoryCount = Atomic<Int>(0)
    /// The number of groups above which ``State/whenExceeded`` is called.
    private let memoryCountMax = Atomic<Int>(.max)
    private let readsFiles: Atomic<Bool>

    private struct State {
        /// Reads the groups of the adopted snapshot.
        var loader: GroupLoader?
        /// The evicted groups whose memory was not freed yet.
        var waiting: [Int: Waiting] = [:]
        /// The evicted groups, the first one first. Also contains groups that were linked again.
        var order: [(group: Int, number: UInt64)] = []
        /// The groups linked since the writer took them.
        var linked: [Int] = []
        var whenExceeded: (@Sendable () -> Void)?
    }

    private struct Waiting {
        var memory: GroupMemory
        /// The number of the version after the eviction.
        var number: UInt64
    }

    /// A space without a snapshot.
    init() {
        base = nil
        storedMasks = []
        state = Mutex(State())
        readsFiles = Atomic(false)
    }

    init(_ loader: GroupLoader) {
        base = nil
        storedMasks = loader.liveMasks
        state = Mutex(State(loader: loader))
        readsFiles = Atomic(true)
    }

    init(sharing base: PagePin) {
        self.base = base
        // The pages that the forked version reaches are not known, and the base's writer uses the
        // others. So all pages count as used, and pages that the fork retires stay used.
        storedMasks = Array(repeating: .max, count: base.reader.table.groupCount)
        state = Mutex(State())
        readsFiles = Atomic(true)
    }

    /// Reads the groups of the adopted snapshot, if there is one.
    var loader: GroupLoader? { state.withLock { $0.loader } }

    /// Whether groups may be missing in memory.
    var isLazy: Bool { readsFiles.load(ordering: .relaxed) }

    /// Groups below this number belong to another space.
    var sharedGroupCount: Int { base == nil ? 0 : storedMasks.count }

    /// The table that owns a shared page; nil if the page is not shared.
    func home(of page: UInt32) -> PageTable? {
        guard let base, Int(page >> 4) < storedMasks.count else { return nil }
        return base.reader.table.home(of: page)
    }

    /// Frees the memory that waits. No reader may use the space afterwards.
    func discard() {
        state.withLock { state in
            for waiting in state.waiting.values { waiting.memory.deallocate() }
            state = State()
        }
    }

    // MARK: Loading

    /// Links a group and returns its memory; nil if there is no such group. Throws `.corruption` if
    /// the snapshot is damaged.
    func load(_ group: Int, into table: PageTable) throws(DaybookError) -> GroupMemory? {
        if let base {
            guard group < storedMasks.count else { return nil }
            // SAFETY: a group's memory starts with its first page. The pinned base keeps it, and it
            // is the same for all threads.
            let shared = unsafe GroupMemory(try base.reader.table.page(UInt32(group) << 4).base)
            table.link(shared, as: group)
            return shared
        }
        let (found, loader) = state.withLock { state in
            (Self.find(group, in: table, &state), state.loader)
        }
        if let found { return found }
        guard let memory = try loader?.load(group) else { return nil }
        let linked = state.withLock { state in
            if let found = Self.find(group, in: table, &state) { return found }
            Self.link(memory, as: group, in: table, &state)
            return memory
        }
        if linked == memory { noteAdded() } else { memory.deallocate() }
        return linked
    }

    /// The memory of a group that another thread linked, or that waits and is linked again.
    private static func find(
        _ group: Int, in table: PageTable, _ state: inout State
    ) -> GroupMemory? {
        if let memory = table.memory(of: group) { return memory }
        guard let waiting = state.waiting.removeValue(forKey: group) else { return nil }
        link(waiting.memory, as: group, in: table, &state)
        return waiting.memory
    }

    private static func link(
        _ memory: GroupMemory, as group: Int, in table: PageTable, _ state: inout State
    ) {
        table.link(memory, as: group)
        state.linked.append(group)
    }

    /// The groups linked since the last call, whose free pages can be used.
    func takeLinkedGroups() -> [Int] {
        guard isLazy else { return [] }
        return state.withLock { state in
            defer { state.linked = [] }
            return state.linked
        }
    }

    // MARK: Memory

    /// Counts a group that came into memory.
    func noteAdded() {
        let count = memoryCount.add(1, ordering: .relaxed).newValue
        guard count > memoryCountMax.load(ordering: .relaxed) else { return }
        state.withLock { $0.whenExceeded }?()
    }

    /// Counts groups whose memory was freed.
    func noteRemoved(_ count: Int) { memoryCount.subtract(count, ordering: .relaxed) }

    /// The number of groups in memory, and of evicted groups that wait.
    var counts: (memory: Int, waiting: Int) {
        let waiting = state.withLock { $0.waiting.count }
        return (memoryCount.load(ordering: .relaxed), waiting)
    }

    /// Sets a function that is called when more than `count` groups are in memory. It is called on
    /// any thread, perhaps often, and must be fast.
    func callWhenExceeding(_ count: Int, _ call: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenExceeded = call }
        memoryCountMax.store(count, ordering: .relaxed)
    }

    /// Sets the number of groups at which the function is called.
    func setLimit(_ count: Int) { memoryCountMax.store(count, ordering: .relaxed) }

    /// Whether more groups are in memory than the limit.
    var exceedsLimit: Bool {
        memoryCount.load(ordering: .relaxed) > memoryCountMax.load(ordering: .relaxed)
    }

    // MARK: Eviction

    /// Makes a newer snapshot the one that groups are read from.
    func adopt(_ loader: GroupLoader) {
        // IMPORTANT: before the first eviction, which follows on this thread.
        readsFiles.store(true, ordering: .relaxed)
        state.withLock { $0.loader = loader }
    }

    /// Unlinks groups. `number` is that of the version that the writer publishes next.
    func evict(_ groups: [Int], from table: PageTable, number: UInt64) {
        state.withLock { state in
            for group in groups {
                guard let memory = table.unlink(group) else { continue }
                state.waiting[group] = Waiting(memory: memory, number: number)
                state.order.append((group, number))
            }
        }
    }

    /// Frees groups that wait, the longest waiting first, until `count` are in memory, if no reader
    /// can use them.
    func free(beyond count: Int, _ readers: ReaderRegistry) {
        let oldest = readers.oldestHold
        state.withLock { state in
            let excess = memoryCount.load(ordering: .relaxed) - count
            var freed = 0
            var end = 0
            while end < state.order.count, freed < excess {
                let (group, number) = state.order[end]
                if let waiting = state.waiting[group], waiting.number == number {
                    guard number <= oldest else { break }
                    waiting.memory.deallocate()
                    state.waiting[group] = nil
                    freed += 1
                }
                end += 1
            }
            state.order.removeFirst(end)
            noteRemoved(freed)
        }
    }
}
