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

    mutating func release(_ numbers: [UInt32]) {
        for number in numbers {
            guard let segment = open.removeValue(forKey: number) else { continue }
            left[number] = Left(segment: segment)
        }
        left = left.filter { $0.value.segment != nil }
    }
}
