internal import DaybookBytes

/// A map from words to two words: 169 entries per leaf, 338 children per inner page.
enum WordLayout: FixedLayout {
    typealias Key = UInt64
    typealias Value = WordValue

    static var kind: PageKind { .words }

    /// Ids are mostly dense, so the index of a key follows from its distance to the first key: one
    /// multiplication by the reciprocal of the average distance, which is stored in the header.
    @inline(__always)
    static func guessChild(_ page: FixedInner<Self>, _ key: UInt64) -> Int? {
        let first = page.key(0)
        guard key >= first else { return 0 }
        let product = (key - first).multipliedFullWidth(by: page.page.load(PageHeader.reciprocal))
        return Int(min(product.high, UInt64(page.count - 1)))
    }

    @inline(__always)
    static func guessIndex(
        of key: UInt64, between first: UInt64, and last: @autoclosure () -> UInt64, _ count: Int
    ) -> Int? { nil }

    @inline(__always)
    static func distanceMax(_ key: UInt64, from first: UInt64) -> Int {
        Int(min(key &- first, UInt64(leafCapacity)))
    }

    static func prepareGuess(_ page: FixedInner<Self>) {
        let count = page.count
        let distance = count > 1 ? (page.key(count - 1) &- page.key(0)) / UInt64(count - 1) : 1
        let reciprocal = distance > 1 ? UInt64.max / distance + 1 : UInt64.max
        page.page.store(reciprocal, at: PageHeader.reciprocal)
    }
}

extension WordLayout {
    static func encodeKeys(_ count: Int, to writer: inout ByteWriter, _ key: (Int) -> UInt64) {
        var previous: UInt64 = 0
        for index in 0..<count {
            let key = key(index)
            // Wrapping: keys out of order, possible in pages from a damaged file, are encoded as
            // values that the decoder rejects.
            writer.varint(index == 0 ? key : key &- previous &- 1)
            previous = key
        }
    }

    static func decodeKeys(
        _ count: Int, from reader: inout ByteReader, _ take: (Int, UInt64) -> Void
    ) throws(DaybookError) {
        var previous: UInt64 = 0
        for index in 0..<count {
            var key = try reader.varint()
            if index > 0 { key = try GroupDecoder.next(after: previous, by: key) }
            take(index, key)
            previous = key
        }
    }

    static func encodeValues(_ count: Int, to writer: inout ByteWriter, _ value: (Int) -> WordValue)
    {
        var previous = WordValue(first: 0, second: 0)
        for index in 0..<count {
            let second = value(index).second
            writer.zigzag(Int64(bitPattern: second &- previous.second))
            previous.second = second
        }
        for index in 0..<count {
            let first = value(index).first
            writer.zigzag(Int64(bitPattern: first &- previous.first))
            previous.first = first
        }
    }

    static func decodeValues(
        _ count: Int, from reader: inout ByteReader, _ take: (Int, WordValue) -> Void
    ) throws(DaybookError) {
        var seconds = [UInt64](repeating: 0, count: count)
        var previous: UInt64 = 0
        for index in 0..<count {
            previous &+= UInt64(bitPattern: try reader.zigzag())
            seconds[index] = previous
        }
        previous = 0
        for index in 0..<count {
            previous &+= UInt64(bitPattern: try reader.zigzag())
            take(index, WordValue(first: previous, second: seconds[index]))
        }
    }
}
