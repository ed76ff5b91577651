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
        var firsts = InlineArray<256, UInt64>(repeating: 0)
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
