/// Positions in lists: byte strings with the property that another one fits between any two. An
/// element keeps its position during changes around it.
///
/// Elements that are added at an end count up or down in the first six bytes, so a list that grows
/// only at its ends has short positions. A position in between is a fraction: the bytes of the
/// lower one, extended. No position ends with a zero, because nothing fits between a string and its
/// extension by a zero.
package enum ListPosition {
    private static let headLength = 6
    private static let middle: UInt64 = 1 << 47
    private static let headMax: UInt64 = 1 << 48 - 1

    /// Whether a record can contain the position.
    package static func isValid(_ position: [UInt8]) -> Bool {
        (1...RecordFormat.positionLengthBytesMax).contains(position.count) && position.last != 0
    }

    /// Returns `count` ascending positions above `low` and below `high`; nil is no bound. `low` is
    /// below `high`.
    package static func between(
        _ low: [UInt8]?, _ high: [UInt8]?, count: Int
    ) -> [[UInt8]] {
        var found: [[UInt8]] = []
        found.reserveCapacity(count)
        switch (low, high) {
        case (.some(let low), nil) where number(low) >= headMax - UInt64(count):
            // No number is left above it: a fraction below an upper bound that no list reaches.
            fill(low, [UInt8](repeating: .max, count: low.count + 1), count, &found)
        case (_, nil):
            var last = low
            for _ in 0..<count {
                let next = after(last)
                found.append(next)
                last = next
            }
        case (nil, .some(let high)):
            var first = high
            for _ in 0..<count {
                first = before(first)
                found.append(first)
            }
            found.reverse()
        case (.some(let low), .some(let high)):
            fill(low, high, count, &found)
        }
        return found
    }

    /// Halves the gap, so that the positions stay short.
    private static func fill(
        _ low: [UInt8], _ high: [UInt8], _ count: Int, _ found: inout [[UInt8]]
    ) {
        guard count > 0 else { return }
        let middle = middle(low, high)
        fill(low, middle, (count - 1) / 2, &found)
        found.append(middle)
        fill(middle, high, count - 1 - (count - 1) / 2, &found)
    }

    private static func after(_ position: [UInt8]?) -> [UInt8] {
        guard let position else { return head(middle) }
        // Below the highest, as ``between(_:_:count:)`` has checked.
        return head(number(position) + 1)
    }

    private static func before(_ position: [UInt8]) -> [UInt8] {
        let number = number(position)
        // There are only fractions below the lowest head.
        guard number > 1 else { return middle([], position) }
        return head(number - 1)
    }

    private static func number(_ position: [UInt8]) -> UInt64 {
        (0..<headLength).reduce(0) { $0 << 8 | UInt64($1 < position.count ? position[$1] : 0) }
    }

    /// The number as a position, without trailing zeros.
    private static func head(_ number: UInt64) -> [UInt8] {
        var bytes = (0..<headLength).map { UInt8(truncatingIfNeeded: number >> (40 - 8 * $0)) }
        while bytes.last == 0 { bytes.removeLast() }
        return bytes
    }

    /// A short string between two others, found by halving; `low` may be empty.
    private static func middle(_ low: [UInt8], _ high: [UInt8]) -> [UInt8] {
        var found: [UInt8] = []
        var index = 0
        /// Whether the result so far is a prefix of `high`.
        var isBounded = true
        while true {
            let lower = index < low.count ? Int(low[index]) : 0
            let upper = isBounded && index < high.count ? Int(high[index]) : 256
            if upper - lower > 1 {
                found.append(UInt8((lower + upper) / 2))
                return found
            }
            found.append(UInt8(lower))
            if lower < upper { isBounded = false }
            index += 1
        }
    }
}
