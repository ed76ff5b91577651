import DaybookBytes
import DaybookRecords

/// The properties that all rows of a layout share.
struct RowShape {
    let fixedLength: Int
    let variableCount: Int

    init(_ layout: RowLayout) {
        fixedLength = layout.fixedLength
        variableCount = layout.variableCount
    }

    /// The parts of a row. Throws `.corruption` if the bytes are not a row.
    @inline(__always)
    @_lifetime(copy row)
    func parts(_ row: Span<UInt8>) throws(DaybookError) -> RowParts {
        try RowParts(row, fixedLength: fixedLength, variableCount: variableCount)
    }
}

/// The selected rows of a batch.
struct RowSelection {
    /// The places of the selected rows, ascending, followed by unused capacity.
    private var places: [Int32] = []
    private(set) var count = 0

    /// Selects all rows.
    mutating func selectAll(_ batch: borrowing RowBatch) {
        count = batch.count
        while places.count < count { places.append(0) }
        for place in 0..<count { places[place] = Int32(truncatingIfNeeded: place) }
    }

    /// The place in the batch of a selected row.
    subscript(index: Int) -> Int { Int(places[index]) }

    /// Keeps the rows for which `truth` returns 1 instead of 0. It returns a number to avoid an
    /// unpredictable branch.
    @inline(__always)
    mutating func keep(
        _ batch: borrowing RowBatch, _ shape: RowShape,
        _ truth: (borrowing RowParts, UInt64) throws(DaybookError) -> Int
    ) throws(DaybookError) {
        let kept = try Self.keep(&places, count, batch, shape, truth)
        count = kept
    }

    /// Moves the places for which `truth` returns 1 to the front, and returns their number.
    @inline(__always)
    private static func keep(
        _ places: inout [Int32], _ count: Int, _ batch: borrowing RowBatch, _ shape: RowShape,
        _ truth: (borrowing RowParts, UInt64) throws(DaybookError) -> Int
    ) throws(DaybookError) -> Int {
        var places = places.mutableSpan
        var kept = 0
        for index in 0..<count {
            let place = places[index]
            let row = try shape.parts(batch.row(Int(place)))
            places[kept] = place
            kept &+= try truth(row, batch.id(Int(place)))
        }
        return kept
    }
}
