import DaybookBytes

/// Searches for a sequence of scalars, some of which may be any scalar, bit-parallel (Shift-And).
struct ScalarSearch: Sendable {
    private let count: Int
    /// The number of words with one bit per place of the sequence.
    private let wordCount: Int
    /// The places that match any scalar, one bit each.
    private let any: [UInt64]
    /// The bit sets of the places of frequent scalars, one after the other.
    private let dense: [UInt64]
    /// The places of the other scalars, for which bit sets would take much more memory.
    private let sparse: [[Int]]
    /// The entry of each ASCII scalar: n for the dense set n - 1, -n for the sparse places n - 1, 0
    /// for none.
    private let ascii: [Int]
    /// The entries of other scalars, by their UTF-8 bytes as a number.
    private let others: [UInt32: Int]

    init(_ scalars: [[UInt8]?]) {
        count = scalars.count
        wordCount = (scalars.count + 63) / 64
        var any = [UInt64](repeating: 0, count: wordCount)
        var places: [UInt32: [Int]] = [:]
        for (index, scalar) in scalars.enumerated() {
            guard let scalar else {
                any[index / 64] |= 1 << UInt64(index % 64)
                continue
            }
            places[scalar.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }, default: []].append(index)
        }
        var dense: [UInt64] = []
        var sparse: [[Int]] = []
        var ascii = [Int](repeating: 0, count: 128)
        var others: [UInt32: Int] = [:]
        for (number, places) in places {
            let kind: Int
            if wordCount == 1 || places.count > wordCount {
                let start = dense.count
                dense += any
                for place in places { dense[start + place / 64] |= 1 << UInt64(place % 64) }
                kind = dense.count / wordCount
            } else {
                sparse.append(places)
                kind = -sparse.count
            }
            if number < 0x80 { ascii[Int(number)] = kind } else { others[number] = kind }
        }
        self.any = any
        self.dense = dense
        self.sparse = sparse
        self.ascii = ascii
        self.others = others
    }

    /// The number of words of memory that the places take.
    var wordsHeld: Int { any.count + dense.count + sparse.reduce(0) { $0 + $1.count } }

    /// The end of the first occurrence at or after `start`; nil if there is none.
    func end(in text: Span<UInt8>, from start: Int, steps: inout Int) -> Int? {
        guard count > 0 else { return start }
        guard wordCount == 1 else { return longEnd(in: text, from: start, steps: &steps) }
        // Bit n: the last n + 1 scalars match the first n + 1 of the sequence.
        var found: UInt64 = 0
        let last: UInt64 = 1 << UInt64(count - 1)
        var place = start
        while place < text.count {
            let end = Utf8Walk.end(of: place, in: text)
            let kind = kind(of: text, place, end)
            found = (found << 1 | 1) & (kind == 0 ? any[0] : dense[kind - 1])
            steps += 1
            place = end
            if found & last != 0 { return place }
        }
        return nil
    }

    /// The same for sequences of more than 64 scalars.
    private func longEnd(in text: Span<UInt8>, from start: Int, steps: inout Int) -> Int? {
        var found = [UInt64](repeating: 0, count: wordCount)
        var place = start
        while place < text.count {
            let end = Utf8Walk.end(of: place, in: text)
            let kind = kind(of: text, place, end)
            // Compute the sparse places that continue a partial match before shifting.
            let reached = kind < 0 ? sparse[-kind - 1].filter { follows(found, $0) } : []
            var carry: UInt64 = 1
            for word in 0..<wordCount {
                let next = found[word] >> 63
                let mask = kind > 0 ? dense[(kind - 1) * wordCount + word] : any[word]
                found[word] = (found[word] << 1 | carry) & mask
                carry = next
            }
            for place in reached { found[place / 64] |= 1 << UInt64(place % 64) }
            steps += wordCount
            place = end
            if found[wordCount - 1] & 1 << UInt64((count - 1) % 64) != 0 { return place }
        }
        return nil
    }

    /// Whether the sequence matches up to before a place.
    private func follows(_ found: [UInt64], _ place: Int) -> Bool {
        place == 0 || found[(place - 1) / 64] & 1 << UInt64((place - 1) % 64) != 0
    }

    @inline(__always)
    private func kind(of text: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
        let byte = text[start]
        if byte < 0x80, end == start + 1 { return ascii[Int(byte)] }
        guard end - start <= 4 else { return 0 }
        var number: UInt32 = 0
        for index in start..<end { number = number << 8 | UInt32(text[index]) }
        return others[number] ?? 0
    }
}
