import DaybookBytes

/// Finds a run of scalars, some of which may be any, all of its beginnings at once.
struct ScalarSearch: Sendable {
    private let count: Int
    /// How many words have a bit for each place of the run.
    private let wordCount: Int
    /// Where all scalars may stand that the run does not name: a bit for each place.
    private let any: [UInt64]
    /// Of the scalars that stand in many places one set of places after the other, a bit each.
    private let dense: [UInt64]
    /// The places of all others, which would take far more as sets.
    private let sparse: [[Int]]
    /// What there is of an ASCII scalar: n stands for the dense set n - 1, -n for the sparse places
    /// n - 1, 0 for none.
    private let ascii: [Int]
    /// The same of other scalars, by their bytes as a number.
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

    /// How many words of memory the places take.
    var wordsHeld: Int { any.count + dense.count + sparse.reduce(0) { $0 + $1.count } }

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
            let kind = kind(of: text, place, end)
            found = (found << 1 | 1) & (kind == 0 ? any[0] : dense[kind - 1])
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
            let kind = kind(of: text, place, end)
            // Of the few places of a scalar those are known first at which the run may go on.
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

    /// Whether the places before one are filled.
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
