/// The strings from which a table is trained: all strings, or a part of them.
struct TokenSample {
    /// The strings one after the other, and 16 zero bytes, so that 16 bytes can be loaded anywhere.
    let bytes: [UInt8]
    /// The offsets after the strings.
    let ends: [Int]
    /// The number of bytes of all strings, including those not chosen.
    let totalBytes: Int

    /// The number of bytes of the chosen strings.
    var chosenBytes: Int { ends.last ?? 0 }

    /// Chooses each string with the same probability, by a hash of its number: an even step could
    /// choose the same field of each object.
    init(texts: [UInt8], lengths: [Int], chosenBytesMax: Int) {
        precondition(
            lengths.allSatisfy { $0 >= 0 } && lengths.reduce(0, +) == texts.count,
            "the lengths are not those of the texts")
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(texts.count, chosenBytesMax) + 16)
        var ends: [Int] = []
        var place = 0
        for (number, length) in lengths.enumerated() {
            let end = place + length
            if length > 0, Self.isChosen(number, bytesMax: chosenBytesMax, of: texts.count) {
                bytes += texts[place..<end]
                ends.append(bytes.count)
            }
            place = end
        }
        bytes += [UInt8](repeating: 0, count: 16)
        self.bytes = bytes
        self.ends = ends
        totalBytes = texts.count
    }

    /// Whether a string is chosen, if the chosen ones are to have `bytesMax` of `totalBytes` bytes.
    private static func isChosen(_ number: Int, bytesMax: Int, of totalBytes: Int) -> Bool {
        guard totalBytes > bytesMax else { return true }
        var hash = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ hash &>> 32) &* 0xC2B2_AE3D_27D4_EB4F
        let product = (hash ^ hash &>> 32).multipliedFullWidth(by: UInt64(totalBytes))
        return product.high < UInt64(bytesMax)
    }

    /// Calls `body` with the longest token at each place of each string. The first argument is the
    /// place, the second the token, and the third whether the token begins a string. Tokens that
    /// `body` adds to the matcher are found from then on.
    @inline(__always)
    func forEachToken(
        _ matcher: inout TokenMatcher,
        _ body: (_ place: Int, _ token: Int, _ isFirst: Bool, inout TokenMatcher) -> Void
    ) {
        let bytes = bytes.span
        var place = 0
        for end in ends {
            var isFirst = true
            while place < end {
                let value = bytes.loadLittleEndian(UInt128.self, at: place) ?? 0
                let token = matcher.longest(value, lengthMax: min(16, end - place))
                let length = Int(matcher.lengths[token])
                body(place, token, isFirst, &matcher)
                isFirst = false
                place += length
            }
        }
    }
}
