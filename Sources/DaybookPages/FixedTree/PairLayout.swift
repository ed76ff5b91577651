internal import DaybookBytes

/// A set of pairs of words: 254 entries per leaf, 203 children per inner page. A pair is a 128-bit
/// number with the order of pairs.
enum PairLayout: FixedLayout {
    struct Nothing: BitwiseCopyable, Sendable, Equatable {}
    typealias Key = UInt128
    typealias Value = Nothing

    static var kind: PageKind { .pairs }

    @inline(__always)
    static func guessChild(_ page: FixedInner<Self>, _ key: UInt128) -> Int? { nil }

    @inline(__always)
    static func distanceMax(_ key: UInt128, from first: UInt128) -> Int { leafCapacity }

    /// Interpolates between the first words, or between the second words of pairs with the same
    /// first one. A binary search would wait for the memory of one entry after the other, and the
    /// entries near the guess are close together.
    @inline(__always)
    static func guessIndex(
        of key: UInt128, between first: UInt128, and last: @autoclosure () -> UInt128, _ count: Int
    ) -> Int? {
        guard count > 16 else { return nil }
        let last = last()
        guard key > first, last > first else { return nil }
        // A key after the last one is in the gap before the next leaf.
        guard key < last else { return count - 1 }
        var share = UInt64(truncatingIfNeeded: (key >> 64) - (first >> 64))
        var whole = UInt64(truncatingIfNeeded: (last >> 64) - (first >> 64))
        if whole == 0 {
            share = UInt64(truncatingIfNeeded: key) - UInt64(truncatingIfNeeded: first)
            whole = UInt64(truncatingIfNeeded: last) - UInt64(truncatingIfNeeded: first)
        }
        // The quotient is at most 1.
        let guess = Int(Double(share) / Double(whole) * Double(count - 1))
        return min(max(guess, 1), count - 1)
    }

    @inline(__always)
    static func prepareGuess(_ page: FixedInner<Self>) {}

    @inline(__always)
    static func key(_ first: UInt64, _ second: UInt64) -> UInt128 {
        UInt128(first) << 64 | UInt128(second)
    }

    @inline(__always)
    static func entry(_ key: UInt128) -> PairEntry {
        PairEntry(
            first: UInt64(truncatingIfNeeded: key >> 64), second: UInt64(truncatingIfNeeded: key))
    }
}

extension PairLayout {
    static func encodeKeys(_ count: Int, to writer: inout ByteWriter, _ key: (Int) -> UInt128) {
        var previous = PairEntry(first: 0, second: 0)
        for index in 0..<count {
            let first = entry(key(index)).first
            // Wrapping: see ``WordLayout``.
            writer.varint(first &- previous.first)
            previous.first = first
        }
        previous.first = 0
        for index in 0..<count {
            let pair = entry(key(index))
            if index > 0 && pair.first == previous.first {
                writer.varint(pair.second &- previous.second &- 1)
            } else {
                writer.zigzag(Int64(bitPattern: pair.second &- previous.second))
            }
            previous = pair
        }
    }

    static func decodeKeys(
        _ count: Int, from reader: inout ByteReader, _ take: (Int, UInt128) -> Void
    ) throws(DaybookError) {
        var firsts = [UInt64](repeating: 0, count: count)
        var previous: UInt64 = 0
        for index in 0..<count {
            let (first, overflow) = previous.addingReportingOverflow(try reader.varint())
            guard !overflow else { throw GroupDecoder.damaged("keys exceed 64 bits") }
            firsts[index] = first
            previous = first
        }
        previous = 0
        for index in 0..<count {
            var second: UInt64
            if index > 0 && firsts[index] == firsts[index - 1] {
                second = try GroupDecoder.next(after: previous, by: try reader.varint())
            } else {
                second = previous &+ UInt64(bitPattern: try reader.zigzag())
            }
            take(index, key(firsts[index], second))
            previous = second
        }
    }

    static func encodeValues(_ count: Int, to writer: inout ByteWriter, _ value: (Int) -> Nothing) {
    }

    static func decodeValues(
        _ count: Int, from reader: inout ByteReader, _ take: (Int, Nothing) -> Void
    ) throws(DaybookError) {}
}
