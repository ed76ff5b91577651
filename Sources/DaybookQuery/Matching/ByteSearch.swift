/// Searches for bytes in bytes (Knuth–Morris–Pratt), in time linear in the sum of both lengths.
struct ByteSearch: Sendable {
    let pattern: [UInt8]
    /// For each index, the length of the longest proper prefix of the pattern that ends there.
    private let fallback: [Int]

    init(_ pattern: [UInt8]) {
        self.pattern = pattern
        var fallback = [Int](repeating: 0, count: pattern.count)
        var length = 0
        for index in pattern.indices.dropFirst() {
            while length > 0, pattern[index] != pattern[length] { length = fallback[length - 1] }
            if pattern[index] == pattern[length] { length += 1 }
            fallback[index] = length
        }
        self.fallback = fallback
    }

    /// The end of the first occurrence at or after `start`; nil if there is none.
    func end(in text: Span<UInt8>, from start: Int = 0) -> Int? {
        guard !pattern.isEmpty else { return start }
        guard text.count - start >= pattern.count else { return nil }
        let first = pattern[0]
        var length = 0
        var index = start
        while index < text.count {
            let byte = text[index]
            if length == 0 {
                if byte == first { length = 1 }
            } else {
                while length > 0, byte != pattern[length] { length = fallback[length - 1] }
                if byte == pattern[length] { length += 1 }
            }
            index += 1
            if length == pattern.count { return index }
        }
        return nil
    }
}
