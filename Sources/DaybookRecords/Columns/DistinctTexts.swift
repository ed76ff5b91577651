import DaybookBytes

/// Finds the distinct byte strings of a column if there are few.
enum DistinctTexts {
    private static let slotCount = 1_024
    /// Longer strings are left to the compressor.
    private static let lengthMax = 256

    /// The first index of each distinct string, and for each string its number among them. Nil if
    /// there are more than a dictionary allows or more than an eighth of all.
    static func find(
        in payload: Span<UInt8>, starts: [UInt32], lengths: [Int64]
    ) -> (firsts: [Int], indexes: [Int64])? {
        let countMax = min(TranspositionFormat.dictionaryCountMax, starts.count / 8)
        guard countMax > 0 else { return nil }
        var slots = [Int16](repeating: -1, count: slotCount)
        var firsts: [Int] = []
        var indexes: [Int64] = []
        indexes.reserveCapacity(starts.count)
        for (index, start) in starts.enumerated() {
            let length = Int(lengths[index])
            guard length <= lengthMax else { return nil }
            let text = payload.extracting(Int(start)..<(Int(start) + length))
            var slot = hash(text)
            while slots[slot] >= 0 {
                let first = firsts[Int(slots[slot])]
                let firstStart = Int(starts[first])
                if Int(lengths[first]) == length,
                    isEqual(text, payload.extracting(firstStart..<(firstStart + length)))
                {
                    break
                }
                slot = (slot + 1) & (slotCount - 1)
            }
            if slots[slot] < 0 {
                guard firsts.count < countMax else { return nil }
                slots[slot] = Int16(firsts.count)
                firsts.append(index)
            }
            indexes.append(Int64(slots[slot]))
        }
        return (firsts, indexes)
    }

    @inline(__always)
    private static func isEqual(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
        var offset = 0
        while offset + 8 <= one.count {
            guard
                one.loadLittleEndian(UInt64.self, at: offset)
                    == other.loadLittleEndian(UInt64.self, at: offset)
            else { return false }
            offset += 8
        }
        while offset < one.count {
            guard one[offset] == other[offset] else { return false }
            offset += 1
        }
        return true
    }

    /// A hash for the slot of a string; equality is checked separately.
    @inline(__always)
    private static func hash(_ text: Span<UInt8>) -> Int {
        var hash = UInt64(text.count)
        var offset = 0
        while offset + 8 <= text.count {
            let word = text.loadLittleEndian(UInt64.self, at: offset) ?? 0
            hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
            offset += 8
        }
        while offset < text.count {
            hash = (hash ^ UInt64(text[offset])) &* 0x9E37_79B9_7F4A_7C15
            offset += 1
        }
        return Int((hash ^ (hash >> 32)) >> 7) & (slotCount - 1)
    }
}
