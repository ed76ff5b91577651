import DaybookBytes

/// Finds a run of scalars, some of which may be any, all of its beginnings at once.
struct ScalarSearch: Sendable {
    private let count: Int
    /// How many words have a bit for each place of the run.
    private let wordCount: Int
    /// One set of places after the other, a bit each. The first is where all scalars may stand that
    /// the run does not name.
    private let places: [UInt64]
    /// Which of the sets is that of an ASCII scalar.
    private let ascii: [Int]
    /// The same of other scalars, by their bytes as a number.
    private let others: [UInt32: Int]

    init(_ scalars: [[UInt8]?]) {
        count = scalars.count
        wordCount = (scalars.count + 63) / 64
        var any = [UInt64](repeating: 0, count: wordCount)
        for (index, scalar) in scalars.enumerated() where scalar == nil {
            any[index / 64] |= 1 << UInt64(index % 64)
        }
        var places = any
        var ascii = [Int](repeating: 0, count: 128)
        var others: [UInt32: Int] = [:]
        for (index, scalar) in scalars.enumerated() {
            guard let scalar, let first = scalar.first else { continue }
            let number = scalar.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
            var set = first < 0x80 ? ascii[Int(first)] : others[number] ?? 0
            if set == 0 {
                set = places.count / wordCount
                places += any
            }
            if first < 0x80 { ascii[Int(first)] = set } else { others[number] = set }
            places[set * wordCount + index / 64] |= 1 << UInt64(index % 64)
        }
        self.places = places
        self.ascii = ascii
        self.others = others
    }

    /// Where the first occurrence from `start` on ends; nil for none.
    func end(in text: Span<UInt8>, from start: Int, steps: inout Int) -> Int? {
        guard count > 0 else { return start }
        guard wordCount == 1 else { return longEnd(in: text, from: start, steps: &steps) }
        // Bit n: the last n + 1 scalars fit the first n + 1 of the run.
        var found: UInt64 = 0
        let last: UInt64 = 1 << UInt64(count - 1)
        var place = start
        while place < text.count {
            let end = Utf8Walk.end(of: place, in: text)
            found = (found << 1 | 1) & places[set(of: text, place, end)]
            steps += 1
            place = end
            if found & last != 0 { return place }
        }
        return nil
    }

    /// The same for runs of more than 64 scalars.
    private func longEnd(in text: Span<UInt8>, from start: Int, steps: inout Int) -> Int? {
        var found = [UInt64](repeating: 0, count: wordCount)
        var place = start
        while place < text.count {
            let end = Utf8Walk.end(of: place, in: text)
            let first = set(of: text, place, end) * wordCount
            var carry: UInt64 = 1
            for word in 0..<wordCount {
                let next = found[word] >> 63
                found[word] = (found[word] << 1 | carry) & places[first + word]
                carry = next
            }
            steps += wordCount
            place = end
            if found[wordCount - 1] & 1 << UInt64((count - 1) % 64) != 0 { return place }
        }
        return nil
    }

    @inline(__always)
    private func set(of text: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
        let byte = text[start]
        if byte < 0x80, end == start + 1 { return ascii[Int(byte)] }
        guard end - start <= 4 else { return 0 }
        var number: UInt32 = 0
        for index in start..<end { number = number << 8 | UInt32(text[index]) }
        return others[number] ?? 0
    }
}
