/// The open segments of a log, by number.
struct SegmentTable {
    private struct Left {
        weak var segment: Segment?
    }

    /// Segments that locations may point into.
    private(set) var open: [UInt32: Segment] = [:]
    /// Released segments, found as long as another user retains them.
    private var left: [UInt32: Left] = [:]

    init(_ segment: Segment) { add(segment) }

    var numbers: Dictionary<UInt32, Segment>.Keys { open.keys }

    func segment(_ number: UInt32) -> Segment? { open[number] ?? left[number]?.segment }

    mutating func add(_ segment: Segment) { open[segment.number] = segment }

    /// Returns the segments that were in the table.
    mutating func release(_ numbers: [UInt32]) -> [Segment] {
        let released = numbers.compactMap { open.removeValue(forKey: $0) }
        left = left.filter { $0.value.segment != nil }
        for segment in released { left[segment.number] = Left(segment: segment) }
        return released
    }
}
