/// The open segments of a log, by slot.
struct SegmentTable {
    private struct Left {
        weak var segment: Segment?
    }

    /// Segments that locations may point into.
    private(set) var open: [UInt32: Segment] = [:]
    /// Released segments, found as long as another user retains them.
    private var left: [UInt32: Left] = [:]

    init(_ segment: Segment) { open[SegmentNumber.slot(of: segment.number)] = segment }

    var numbers: [UInt64] { open.values.map(\.number) }

    /// The segment of that number.
    func segment(_ number: UInt64) -> Segment? {
        let found = segment(inSlot: SegmentNumber.slot(of: number))
        return found?.number == number ? found : nil
    }

    /// The segment that locations with that slot point into.
    func segment(inSlot slot: UInt32) -> Segment? { open[slot] ?? left[slot]?.segment }

    /// Adds a segment, unless its slot belongs to another one that is in use. Returns whether the
    /// segment was added.
    mutating func add(_ segment: Segment) -> Bool {
        let slot = SegmentNumber.slot(of: segment.number)
        if let other = self.segment(inSlot: slot), other.number != segment.number { return false }
        left[slot] = nil
        open[slot] = segment
        return true
    }

    /// Returns the segments that were in the table.
    mutating func release(_ numbers: [UInt64]) -> [Segment] {
        let released = numbers.compactMap { number in
            segment(number).flatMap { open.removeValue(forKey: SegmentNumber.slot(of: $0.number)) }
        }
        left = left.filter { $0.value.segment != nil }
        for segment in released {
            left[SegmentNumber.slot(of: segment.number)] = Left(segment: segment)
        }
        return released
    }
}
