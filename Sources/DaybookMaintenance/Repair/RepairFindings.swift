/// The findings of a survey up to a place in the log.
struct RepairFindings {
    var damages: [RepairReport.Damage] = []
    var lost: [ClosedRange<UInt64>] = []
    var incomplete: Set<UInt64> = []
    /// Objects with a version whose preceding version may be lost.
    var interrupted: Set<ObjectName> = []
    /// The last sequence of the frames that were read, and whether its transaction continues.
    var last: UInt64 = 0
    var isOpen = false

    /// The last transaction whose end was read.
    var lastComplete: UInt64 { isOpen ? last - 1 : last }

    /// Whether records of a transaction may be lost.
    func isMissing(_ sequence: UInt64) -> Bool {
        incomplete.contains(sequence) || lost.contains { $0.contains(sequence) }
    }

    /// The highest transaction of which records are lost.
    var lastMissing: UInt64 { max(incomplete.max() ?? 0, lost.map(\.upperBound).max() ?? 0) }

    /// The lowest transaction of which records are lost; nil if there is none.
    var firstMissing: UInt64? { (incomplete.min().map { [$0] } ?? []).appending(lost).min() }

    /// Records a damaged place.
    mutating func note(
        _ file: String, _ bytes: Range<Int>, lost range: ClosedRange<UInt64>? = nil,
        incomplete sequences: Set<UInt64> = [], _ reason: String
    ) {
        if let range { lost.append(range) }
        incomplete.formUnion(sequences)
        damages.append(
            RepairReport.Damage(
                file: file, bytes: bytes, lostSequences: range,
                incompleteSequences: sequences.sorted(), reason: reason))
    }
}

extension [UInt64] {
    fileprivate func appending(_ ranges: [ClosedRange<UInt64>]) -> [UInt64] {
        self + ranges.map(\.lowerBound)
    }
}
