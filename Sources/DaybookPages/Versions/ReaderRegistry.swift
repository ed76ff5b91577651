internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The published version, and who reads which version.
///
/// A short read claims one of 128 slots with a compare-and-exchange and leaves its version's
/// sequence there; a long one is registered behind a mutex. The writer frees a page only if the
/// published version does not reach it and no slot and no registered pin holds a version that does.
///
/// **Why a page is never freed under a reader.** A reader (1) reads the counter and the version,
/// (2) stores the version's sequence in its slot, (3) reads the counter again, and starts over from
/// (2) with the newer version if it moved; only then does it walk pages. The writer (a) reads the
/// counter and the published version P, (b) reads all slots. All these accesses to the counter and
/// the slots are sequentially consistent, so they have one order. If (2) comes before (b), the
/// writer sees the slot and spares the version that the reader uses. If it comes after, then (3)
/// comes after (a), so the reader uses P or a newer version, and pages that P does not reach are
/// reached by none after it. A slot that a reader stores again while the writer looks is of the
/// second kind. Giving a slot back is a release, and the writer's read of it acquires: the reads of
/// the pages come before their reuse. The same holds through a chain of readers, for claiming
/// acquires too.
///
/// **Why the version is read whole.** There are two cells; counter n points to cell n mod 2, and
/// cell n mod 2 is next written after the counter became n + 1. So a reader that finds the counter
/// unchanged at (3) has read an untouched cell: had it read a newer value, acquire on the cell
/// would make it see n + 1. A publisher that is suspended half way keeps nobody waiting.
@safe
struct ReaderRegistry: @unchecked Sendable {
    // SENDABLE: everything is atomics, or behind `pins`.

    static let slotCount = 128
    /// So many slots are tried before a short read registers itself like a long one.
    private static let probeCountMax = 8
    /// Words from one slot to the next: 128 bytes, the longest cache line there is.
    private static let stride = 16
    /// The published version comes first, on a line of its own.
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

    /// Gives the memory back; nobody may read any more.
    func deallocate() {
        // SAFETY: `init` allocated one and retained the other.
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
                    // SAFETY: the place of the slot that was just claimed.
                    unsafe words[place].store(
                        version.sequence &+ 1, ordering: .sequentiallyConsistent)
                }
            }
            index = (index &+ 1) & (Self.slotCount - 1)
        }
        return (register(), -1)
    }

    @inline(__always)
    func leave(_ sequence: UInt64, _ ticket: Int) {
        if ticket >= 0 {
            // SAFETY: `enter` returned the ticket, the place of a slot.
            unsafe words[ticket].store(0, ordering: .releasing)
        } else {
            unregister(sequence)
        }
    }

    /// Where a thread looks first: different threads most likely at different slots.
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
    /// The version is read while the mutex is held. If the writer's look at the pins comes later,
    /// it sees this one; if it came before, its read of the published version came before this one,
    /// so this one reads that version or a newer.
    @inline(never)
    func register() -> PageVersion {
        // SAFETY: `pins` lives as long as the registry.
        unsafe pins._withUnsafeGuaranteedRef { $0.add { publishedVersion } }
    }

    /// Registers a pin of a version that the writer holds, and so nobody has freed.
    func register(working version: PageVersion) {
        // SAFETY: `pins` lives as long as the registry.
        unsafe pins._withUnsafeGuaranteedRef { _ = $0.add { version } }
    }

    @inline(never)
    func unregister(_ sequence: UInt64) {
        // SAFETY: `pins` lives as long as the registry.
        unsafe pins._withUnsafeGuaranteedRef { $0.remove(sequence) }
    }

    /// The published sequence, and then every sequence that is being read, in rising order and once
    /// each.
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
