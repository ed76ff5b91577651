internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The published version, and the versions in use by readers.
///
/// A short read claims one of 128 slots with a compare-and-exchange and stores the sequence of its
/// version there. A long read registers a pin under a mutex. The writer frees a page only if the
/// published version does not reach it, and no slot and no pin contains a version that does.
///
/// **Why a page is never freed under a reader.** A reader (1) loads the counter and the version,
/// (2) stores the version's sequence in its slot, (3) loads the counter again, and repeats from (2)
/// with the newer version if it changed. Only then does it read pages. The writer (a) loads the
/// counter and the published version P, (b) loads all slots. All these accesses to the counter and
/// the slots are sequentially consistent, so they have one total order. If (2) is before (b), the
/// writer sees the slot and keeps the pages of the reader's version. If it is after, then (3) is
/// after (a), so the reader uses P or a newer version, and no version after P reaches pages that P
/// does not reach. A slot that a reader stores again during (b) is in the second case. Releasing a
/// slot is a releasing store, and the writer's load of it acquires: the reads of the pages happen
/// before their reuse. The same holds for a sequence of readers in one slot, because claiming
/// acquires, too.
///
/// **Why the version is read consistently.** There are two cells. Counter n points to cell n mod 2,
/// which is written again only after the counter became n + 1. So a reader that finds the counter
/// unchanged at (3) has read an unmodified cell: if it had read a newer value, the acquiring load
/// of the cell would make n + 1 visible. A suspended publisher blocks no reader.
@safe
struct ReaderRegistry: @unchecked Sendable {
    // SENDABLE: all state is atomic or protected by `pins`.

    static let slotCount = 128
    /// The number of slots to try before a short read registers a pin.
    private static let probeCountMax = 8
    /// The distance between slots in words: 128 bytes, the longest cache line.
    private static let stride = 16
    /// The published version is first, in its own cache line.
    private static let cells = 1
    private static let slots = stride

    private typealias Word = Atomic<UInt64>
    private let words: UnsafeMutablePointer<Word>
    private let pins: Unmanaged<PinTable>

    init(_ version: PageVersion) {
        let count = Self.slots + Self.slotCount * Self.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: count * MemoryLayout<Word>.stride, alignment: 128)
        // SAFETY: the memory has room for `count` words, and 128 is a multiple of their alignment.
        unsafe words = memory.bindMemory(to: Word.self, capacity: count)
        for index in 0..<count { unsafe (words + index).initialize(to: Word(0)) }
        unsafe pins = Unmanaged.passRetained(PinTable())
        store(version, in: 0)
    }

    /// Frees the memory. No reads may be running.
    func deallocate() {
        // SAFETY: `init` allocated `words` and retained `pins`.
        unsafe words.deallocate()
        unsafe pins.release()
    }

    // MARK: Publishing

    var publishedVersion: PageVersion {
        var number = counter
        while true {
            let version = version(in: number)
            let again = counter
            if again == number { return version }
            number = again
        }
    }

    func publish(_ version: PageVersion) {
        // SAFETY: `pins` lives as long as the registry.
        unsafe pins._withUnsafeGuaranteedRef { pins in
            pins.whilePublishing {
                let number = counter
                guard version.sequence > self.version(in: number).sequence else { return }
                store(version, in: number &+ 1)
                // SAFETY: the counter is the first word.
                unsafe words[0].store(number &+ 1, ordering: .sequentiallyConsistent)
            }
        }
    }

    @inline(__always)
    private var counter: UInt64 {
        // SAFETY: the counter is the first word.
        unsafe words[0].load(ordering: .sequentiallyConsistent)
    }

    @inline(__always)
    private func version(in number: UInt64) -> PageVersion {
        let cell = Self.cells + Int(number & 1) * 2
        // SAFETY: the two cells are words 1 to 4.
        return unsafe PageVersion(
            sequence: words[cell].load(ordering: .acquiring),
            catalog: UInt32(truncatingIfNeeded: words[cell + 1].load(ordering: .acquiring)))
    }

    private func store(_ version: PageVersion, in number: UInt64) {
        let cell = Self.cells + Int(number & 1) * 2
        // SAFETY: the two cells are words 1 to 4.
        unsafe words[cell].store(version.sequence, ordering: .releasing)
        unsafe words[cell + 1].store(UInt64(version.catalog), ordering: .releasing)
    }

    // MARK: Short reads

    /// Claims the published version; `leave` with the returned ticket ends the claim.
    @inline(__always)
    func enter() -> (version: PageVersion, ticket: Int) {
        var number = counter
        var version = version(in: number)
        var index = Self.slotHint
        for _ in 0..<Self.probeCountMax {
            let place = Self.slots + index * Self.stride
            // SAFETY: `index` is below the number of slots.
            if unsafe words[place].load(ordering: .relaxed) == 0,
                unsafe words[place].compareExchange(
                    expected: 0, desired: version.sequence &+ 1, ordering: .sequentiallyConsistent
                ).exchanged
            {
                while true {
                    let again = counter
                    if again == number { return (version, place) }
                    number = again
                    version = self.version(in: number)
                    // SAFETY: the index of the slot that was just claimed.
                    unsafe words[place].store(
                        version.sequence &+ 1, ordering: .sequentiallyConsistent)
                }
            }
            index = (index &+ 1) & (Self.slotCount - 1)
        }
        let pinned = register()
        // SAFETY: `pins` lives as long as the registry.
        unsafe pins._withUnsafeGuaranteedRef { _ = $0.hold { pinned.sequence } }
        return (pinned, -1)
    }

    @inline(__always)
    func leave(_ sequence: UInt64, _ ticket: Int) {
        if ticket >= 0 {
            // SAFETY: `enter` returned the ticket, the index of a slot.
            unsafe words[ticket].store(0, ordering: .releasing)
        } else {
            release(sequence)
            unregister(sequence)
        }
    }

    /// The first slot that a thread tries; different threads usually start at different slots.
    @inline(__always)
    private static var slotHint: Int {
        #if canImport(Darwin)
        // SAFETY: the pointer is used as a number only.
        let thread = unsafe UInt64(UInt(bitPattern: pthread_self()))
        #elseif canImport(Musl)
        let thread = unsafe UInt64(UInt(bitPattern: pthread_self()))
        #else
        let thread = UInt64(pthread_self())
        #endif
        return Int(((thread &>> 4) &* 0x9E37_79B9_7F4A_7C15) &>> 57)
    }

    // MARK: Long reads

    /// Registers a pin of the published version.
    ///
    /// The version is read while the mutex is held. If the writer examines the pins later, it sees
    /// this one. If it examined them earlier, it read the published version earlier, so this pin
    /// has that version or a newer one.
    @inline(never)
    func register() -> PageVersion {
        // SAFETY: `pins` lives as long as the registry.
        unsafe pins._withUnsafeGuaranteedRef { $0.add { publishedVersion } }
    }

    /// Registers a pin of a version that the writer retains, so its pages are not freed.
    func register(working version: PageVersion) {
        // SAFETY: `pins` lives as long as the registry.
        unsafe pins._withUnsafeGuaranteedRef { _ = $0.add { version } }
    }

    @inline(never)
    func unregister(_ sequence: UInt64) {
        // SAFETY: `pins` lives as long as the registry.
        unsafe pins._withUnsafeGuaranteedRef { $0.remove(sequence) }
    }

    /// Holds the memory that is found from now on, and returns the number for ``release(_:)``: the
    /// published sequence, which is read while the mutex is held, as by ``register()``.
    func hold() -> UInt64 {
        // SAFETY: `pins` lives as long as the registry.
        unsafe pins._withUnsafeGuaranteedRef { $0.hold { publishedVersion.sequence } }
    }

    func release(_ sequence: UInt64) {
        // SAFETY: `pins` lives as long as the registry.
        unsafe pins._withUnsafeGuaranteedRef { $0.release(sequence) }
    }

    /// The sequence such that every reader entered, and every hold began, when a version of this
    /// sequence or a newer one was published.
    var oldestHold: UInt64 {
        var oldest = publishedVersion.sequence  // IMPORTANT: before the slots and the pins
        for index in 0..<Self.slotCount {
            // SAFETY: `index` is below the number of slots.
            let value = unsafe words[Self.slots + index * Self.stride]
                .load(ordering: .sequentiallyConsistent)
            if value != 0 { oldest = min(oldest, value &- 1) }
        }
        return unsafe pins._withUnsafeGuaranteedRef { min(oldest, $0.oldestHold ?? oldest) }
    }

    /// The number of running reads, short and long. It may be outdated on return.
    var readerCount: Int {
        var count = 0
        for index in 0..<Self.slotCount {
            // SAFETY: `index` is below the number of slots.
            let value = unsafe words[Self.slots + index * Self.stride].load(ordering: .relaxed)
            if value != 0 { count += 1 }
        }
        // SAFETY: `pins` lives as long as the registry.
        return unsafe pins._withUnsafeGuaranteedRef { count + $0.versionCount }
    }

    /// Returns the published sequence and collects the distinct sequences in use, ascending.
    func look(into sequences: inout [UInt64]) -> UInt64 {
        let published = publishedVersion.sequence  // IMPORTANT: before the slots and the pins
        sequences.removeAll(keepingCapacity: true)
        for index in 0..<Self.slotCount {
            // SAFETY: `index` is below the number of slots.
            let value = unsafe words[Self.slots + index * Self.stride]
                .load(ordering: .sequentiallyConsistent)
            if value != 0 { sequences.append(value &- 1) }
        }
        unsafe pins._withUnsafeGuaranteedRef { $0.appendSequences(to: &sequences) }
        if sequences.count > 1 {
            sequences.sort()
            var kept = 1
            for index in 1..<sequences.count where sequences[index] != sequences[kept - 1] {
                sequences[kept] = sequences[index]
                kept += 1
            }
            sequences.removeLast(sequences.count - kept)
        }
        return published
    }
}
