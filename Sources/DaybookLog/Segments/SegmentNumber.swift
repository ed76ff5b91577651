/// Segment numbers, and the slots that stand for them in locations.
///
/// No two segments of a store ever have the same number. It is in the name of the file, in the
/// header and in the checks of the frames. A ``Location`` has room for 19 bits only, so it contains
/// the slot of the segment: the number modulo 2^19. The log takes no number whose slot belongs to a
/// segment in use, so a slot identifies one segment among all segments that locations may point
/// into. `Internals/FileFormat.md` shows that the numbers last.
package enum SegmentNumber {
    /// Numbers are below this limit.
    package static let limit: UInt64 = 1 << 62
    /// The number of slots. Slot 0 is not used.
    package static let slotCount: UInt64 = 1 << 19

    /// The slot of a number.
    @inline(__always)
    package static func slot(of number: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: number % slotCount)
    }

    /// The first `count` consecutive numbers from `first` on whose slots are all free; nil if there
    /// are none.
    static func free(
        _ count: Int, from first: UInt64, isInUse: (UInt32) -> Bool
    ) -> Range<UInt64>? {
        let count = UInt64(count)
        guard count < slotCount, first < limit - 2 * slotCount else { return nil }
        var start = first
        var end = first
        while end - start < count {
            // Every slot was examined.
            guard start < first + slotCount else { return nil }
            let slot = slot(of: end)
            end += 1
            if slot == 0 || isInUse(slot) { start = end }
        }
        return start..<end
    }
}
