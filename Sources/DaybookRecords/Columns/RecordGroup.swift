import DaybookBytes

/// The records of a payload that have the same shape, taken apart into numbers and bytes.
struct RecordGroup {
    /// What follows the numbers of a record.
    enum Rest: Equatable {
        case nothing
        /// Bytes that are not looked into.
        case tail
        /// A row of a layout, given by its index, with this header.
        case row(layout: Int, header: UInt8)
    }

    let kind: UInt8
    let numberCount: Int
    let rest: Rest
    /// The numbers that the records begin with, record after record.
    var numbers: [Int64] = []
    /// Where what follows the numbers begins and ends in the payload.
    var starts: [UInt32] = []
    var ends: [UInt32] = []

    init(kind: UInt8, numberCount: Int, rest: Rest) {
        self.kind = kind
        self.numberCount = numberCount
        self.rest = rest
    }

    var recordCount: Int { starts.count }

    mutating func append(_ start: Int, _ end: Int) {
        starts.append(UInt32(truncatingIfNeeded: start))
        ends.append(UInt32(truncatingIfNeeded: end))
    }

    /// One of the numbers of every record.
    func column(_ number: Int) -> [Int64] {
        stride(from: number, to: numbers.count, by: numberCount).map { numbers[$0] }
    }
}
