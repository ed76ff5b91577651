import DaybookBytes
import DaybookRecords

/// What all rows of a layout have in common.
struct RowShape {
    let fixedLength: Int
    let variableCount: Int

    init(_ layout: RowLayout) {
        fixedLength = layout.fixedLength
        variableCount = layout.variableCount
    }

    /// The parts of a row. Throws `.corruption` for bytes that are none.
    @inline(__always)
    @_lifetime(copy row)
    func parts(_ row: Span<UInt8>) throws(DaybookError) -> RowParts {
        try RowParts(row, fixedLength: fixedLength, variableCount: variableCount)
    }
}

/// Which rows of a batch are wanted.
struct RowSelection {
    /// The places of the wanted ones, ascending; behind them memory to be used again.
    private var places: [Int32] = []
    private(set) var count = 0

    /// Wants all rows.
    mutating func selectAll(_ batch: borrowing RowBatch) {
        count = batch.count
        while places.count < count { places.append(0) }
        for place in 0..<count { places[place] = Int32(truncatingIfNeeded: place) }
    }

    /// The place in the batch of one of the wanted rows.
    subscript(index: Int) -> Int { Int(places[index]) }

    /// Leaves those of which `truth` is 1, not 0: a number, so that whether a row is wanted need be
    /// no branch, which nothing could foresee.
    @inline(__always)
    mutating func keep(
        _ batch: borrowing RowBatch, _ shape: RowShape,
        _ truth: (borrowing RowParts, UInt64) throws(DaybookError) -> Int
    ) throws(DaybookError) {
        let kept = try Self.keep(&places, count, batch, shape, truth)
        count = kept
    }

    /// Moves the places of those whose `truth` is 1 to the front; returns their number.
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
