import DaybookBytes

/// The records of a payload with the same shape, divided into numbers and bytes.
struct RecordGroup {
    /// The content after the numbers of a record.
    enum Rest: Equatable {
        case nothing
        /// Uninterpreted bytes.
        case tail
        /// A row of the layout with this index, with this header.
        case row(layout: Int, header: UInt8)
    }

    let kind: UInt8
    let numberCount: Int
    let rest: Rest
    /// The leading numbers of the records, record by record.
    var numbers: [Int64] = []
    /// The range in the payload of the content after the numbers.
    var starts: [UInt32] = []
    var ends: [UInt32] = []

    var recordCount: Int { starts.count }

    mutating func append(_ start: Int, _ end: Int) {
        starts.append(UInt32(truncatingIfNeeded: start))
        ends.append(UInt32(truncatingIfNeeded: end))
    }

    /// The values of one leading number in all records.
    func column(_ number: Int) -> [Int64] {
        stride(from: number, to: numbers.count, by: numberCount).map { numbers[$0] }
    }
}
