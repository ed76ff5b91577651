internal import Synchronization

/// Identifies the content of the links of a graph among all its versions.
package struct LinksName: Hashable, Sendable {
    private let first: UInt64
    private let second: UInt64

    package init(_ first: UInt64, _ second: UInt64) {
        self.first = first
        self.second = second
    }
}

/// The links of slots in the lowest layer of a graph, in memory, as the tree of one version
/// contains them. Threads that read links from the tree add them, while others read.
///
/// A list takes a quarter of its memory in the tree, and is found without reading pages, whose
/// first lines share few lines of the processor's cache.
@safe
package final class LinkMemory: @unchecked Sendable {
    // SENDABLE: a list is stored after it was written, with releasing order, and loaded with
    // acquiring order. `lock` protects `chunks` and `room`.

    private typealias List = UnsafeMutablePointer<UInt32>

    /// The length of a part of the memory for lists, in numbers.
    private static let chunkLength = 1 << 14
    /// Longer lists are not kept.
    private static let listLengthMax = 1 << 10
    /// The number of links in a cache line.
    private static let lineLength = 16
    /// Shorter lists are padded with zeros, so that ``touch(_:)`` reads no other list, which a
    /// thread may be adding.
    private static let listLengthMin = 2 * lineLength + 1

    let name: LinksName
    private let slotCount: Int
    private let memories: VectorMemories
    /// The list of each slot: the number of links, and the slots; nil for an unknown list.
    private let lists: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<UInt32>?>>
    private let lock = Mutex(())
    private var chunks: [UnsafeMutablePointer<UInt32>]
    /// The free length of the last chunk.
    private var room = 0

    /// Creates the memory for slots below `slotCount`; nil without room.
    init?(_ name: LinksName, slotCount: Int, _ memories: VectorMemories) {
        guard memories.reserveForLinks(slotCount * 8) else { return nil }
        self.name = name
        self.slotCount = slotCount
        self.memories = memories
        // SAFETY: all elements are initialized here; `deinit` frees them.
        unsafe chunks = []
        unsafe lists = .allocate(capacity: slotCount)
        for slot in 0..<slotCount {
            unsafe (lists + slot).initialize(to: Atomic(nil))
        }
    }

    deinit {
        // SAFETY: this object allocated and initialized the memory, and nothing refers to it any
        // longer.
        unsafe lists.deinitialize(count: slotCount)
        unsafe lists.deallocate()
        let chunkCount = unsafe chunks.count
        for place in 0..<chunkCount { unsafe chunks[place].deallocate() }
        memories.add(-(slotCount * 8 + chunkCount * Self.chunkLength * 4))
    }

    @inline(__always)
    private func list(_ slot: UInt64) -> UnsafeMutablePointer<UInt32>? {
        guard slot < UInt64(slotCount) else { return nil }
        // SAFETY: the slot is below the number of elements.
        return unsafe lists[Int(slot)].load(ordering: .acquiring)
    }

    /// The links of a slot: `count` numbers, which live as long as this object; nil if they are
    /// unknown.
    @inline(__always)
    func links(of slot: UInt64) -> UnsafeBufferPointer<UInt32>? {
        // SAFETY: a list begins with the number of its other elements.
        guard let list = unsafe list(slot) else { return nil }
        return unsafe UnsafeBufferPointer(start: list + 1, count: Int(list[0]))
    }

    /// Reads a byte of each cache line of the links of a slot, so that the processor fetches them
    /// together. Returns their sum; nil if they are unknown.
    func touch(_ slot: UInt64) -> UInt32? {
        guard let list = unsafe list(slot) else { return nil }
        // SAFETY: a list has at least `listLengthMin` elements.
        return unsafe list[0] &+ list[Self.lineLength] &+ list[2 * Self.lineLength]
    }

    /// Adds the links of a slot. Without room, or with numbers above 32 bits, does nothing.
    package func add(_ linked: [UInt64], of slot: UInt64) {
        guard slot < UInt64(slotCount), linked.count <= Self.listLengthMax,
            linked.allSatisfy({ $0 <= UInt64(UInt32.max) })
        else { return }
        lock.withLock { _ in
            guard unsafe list(slot) == nil else { return }
            let length = max(linked.count + 1, Self.listLengthMin)
            if room < length {
                guard memories.reserveForLinks(Self.chunkLength * 4) else { return }
                // SAFETY: the whole chunk is initialized; `deinit` frees it.
                let chunk = List.allocate(capacity: Self.chunkLength)
                unsafe chunk.initialize(repeating: 0, count: Self.chunkLength)
                unsafe chunks.append(chunk)
                room = Self.chunkLength
            }
            guard let chunk = unsafe chunks.last else { return }
            // SAFETY: the last chunk has `room` free elements, at least `length`.
            let list = unsafe chunk + (Self.chunkLength - room)
            unsafe list[0] = UInt32(linked.count)
            for place in linked.indices { unsafe list[place + 1] = UInt32(linked[place]) }
            room -= length
            unsafe lists[Int(slot)].store(list, ordering: .releasing)
        }
    }
}
