import DaybookBytes

extension ByteWriter {
    /// Writes a count, then keys and values sorted by the keys' bytes.
    mutating func textPairs(_ pairs: [String: String]) {
        varint(UInt64(pairs.count))
        guard !pairs.isEmpty else { return }
        let sorted = pairs.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (key, value) in sorted {
            text(key)
            text(value)
        }
    }
}

extension ByteWriter {
    /// The number of bytes that ``textPairs(_:)`` writes.
    static func textPairsLength(_ pairs: [String: String]) -> Int {
        pairs.reduce(Varint.length(UInt64(pairs.count))) { length, pair in
            length
                + [pair.key, pair.value].reduce(0) { length, text in
                    length + Varint.length(UInt64(text.utf8.count)) + text.utf8.count
                }
        }
    }
}

extension ByteReader {
    /// Reads pairs; a key out of order or a duplicate key is `.corruption`.
    mutating func textPairs() throws(DaybookError) -> [String: String] {
        let count = try length()
        var pairs: [String: String] = [:]
        var last: String?
        for _ in 0..<count {
            let key = try text()
            if let last, !last.utf8.lexicographicallyPrecedes(key.utf8) {
                throw DaybookError(.corruption, "The bytes are damaged: keys are out of order.")
            }
            // Two keys with different bytes may be equal strings in a dictionary.
            guard pairs.updateValue(try text(), forKey: key) == nil else {
                throw DaybookError(.corruption, "The bytes are damaged: a key occurs twice.")
            }
            last = key
        }
        return pairs
    }
}
