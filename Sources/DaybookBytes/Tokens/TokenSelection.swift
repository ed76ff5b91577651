/// Chooses the tokens that save most for a sample.
struct TokenSelection {
    private let sample: TokenSample
    private let matcher: TokenMatcher
    /// How often each token is used for the sample.
    private var uses: [Int]

    /// Counts the uses of each token.
    init(_ sample: TokenSample, _ matcher: TokenMatcher) {
        var matcher = matcher
        var uses = [Int](repeating: 0, count: matcher.count)
        sample.forEachToken(&matcher) { _, token, _, _ in uses[token] += 1 }
        self.sample = sample
        self.matcher = matcher
        self.uses = uses
    }

    /// The table of all tokens, the most used one first; nil if its stored form would take more
    /// bytes than it saves.
    func table() -> TokenTable? {
        let order = tokensByUses
        let oneByteCount = TokenTable.oneByteCountMax(tokenCount: order.count)
        let table = try? TokenTable(
            bytes: TokenTable.storedForm(
                values: order.map { matcher.values[$0] },
                lengths: order.map { matcher.lengths[$0] }, oneByteCount: oneByteCount))
        guard let table else { return nil }
        let codeBytes = order.enumerated().reduce(0) { sum, next in
            sum + uses[next.element] * (next.offset < oneByteCount ? 1 : 2)
        }
        return scaled(codeBytes) + table.bytes.count < sample.totalBytes ? table : nil
    }

    /// All single bytes, and the tokens that save more than they take in the stored table.
    consuming func tokensThatPay() -> TokenMatcher {
        let costs = costsBytes
        var gains: [(halfBytes: Int, token: Int)] = []
        // A dropped token adds its uses to its parts, which are shorter: they follow in the list.
        for token in tokensByFallingLength {
            let parts = parts(of: token)
            let partsCost = parts.reduce(0) { $0 + costs[$1] }
            // A stored length takes half a byte.
            let gain =
                2 * scaled(uses[token] * (partsCost - costs[token]))
                - (2 * Int(matcher.lengths[token]) + 1)
            if gain > 0 {
                gains.append((gain, token))
            } else {
                for part in parts { uses[part] += uses[token] }
                uses[token] = 0
            }
        }
        let keys = gains.map { key($0.token, weight: $0.halfBytes) }
        let order = gains.indices.sorted { keys[$0] < keys[$1] }
        let count = bestCount(order.map { gains[$0].halfBytes })
        var kept = TokenMatcher(capacity: count + TokenTable.singleCount)
        for byte in 0..<TokenTable.singleCount { kept.add(UInt128(byte), length: 1) }
        for index in order.prefix(count) {
            let token = gains[index].token
            kept.add(matcher.values[token], length: Int(matcher.lengths[token]))
        }
        return kept
    }

    /// How many tokens to keep. The gains of all are in half bytes and fall. Each 255 tokens more
    /// take a code of one byte from a token with many uses.
    private func bestCount(_ gains: [Int]) -> Int {
        let uses = uses.sorted(by: >)
        var best = (count: 0, saved: -1)
        var count = 0
        var gained = 0
        var oneByteUses = uses.prefix(TokenTable.singleCount).reduce(0, +)
        for oneByteCount in stride(from: TokenTable.singleCount, through: 0, by: -1) {
            let tokenCount = min(
                TokenTable.capacity(oneByteCount: oneByteCount), TokenTable.tokenCountMax)
            while count < min(tokenCount - TokenTable.singleCount, gains.count) {
                gained += gains[count]
                count += 1
            }
            let saved = gained + 2 * scaled(oneByteUses)
            if saved > best.saved { best = (count, saved) }
            if count == gains.count || tokenCount == TokenTable.tokenCountMax { break }
            oneByteUses -= uses[oneByteCount - 1]
        }
        return best.count
    }

    /// The lengths of the codes of the tokens if as many as possible are kept.
    private var costsBytes: [Int] {
        let tokenCount = min(uses.count, TokenTable.tokenCountMax)
        var left = TokenTable.oneByteCountMax(tokenCount: tokenCount)
        let usesOfLast = uses.sorted(by: >)[left - 1]
        var costs = uses.map { $0 > usesOfLast ? 1 : 2 }
        left -= costs.count { $0 == 1 }
        for token in uses.indices where left > 0 && uses[token] == usesOfLast {
            costs[token] = 1
            left -= 1
        }
        return costs
    }

    /// The tokens from the most used to the least used one; tokens with equal uses by their bytes.
    private var tokensByUses: [Int] {
        let keys = uses.indices.map { key($0, weight: uses[$0]) }
        return uses.indices.sorted { keys[$0] < keys[$1] }
    }

    /// The tokens of two bytes and more, the longest first.
    private var tokensByFallingLength: [Int] {
        var byLength = [[Int]](repeating: [], count: TokenTable.tokenLengthMax + 1)
        for token in uses.indices { byLength[Int(matcher.lengths[token])].append(token) }
        return Array(byLength[2...].reversed().joined())
    }

    /// The tokens that would be used for the bytes of a token without it.
    private func parts(of token: Int) -> [Int] {
        var parts: [Int] = []
        var value = matcher.values[token]
        var left = Int(matcher.lengths[token])
        var lengthMax = left - 1
        while left > 0 {
            let part = matcher.longest(value, lengthMax: lengthMax)
            let length = Int(matcher.lengths[part])
            parts.append(part)
            value = length < 16 ? value &>> UInt128(8 * length) : 0
            left -= length
            lengthMax = left
        }
        return parts
    }

    /// A number of the chosen strings, raised to all strings of the sample.
    private func scaled(_ number: Int) -> Int {
        number * sample.totalBytes / sample.chosenBytes
    }

    private func key(_ token: Int, weight: Int) -> OrderKey {
        OrderKey(weight: weight, value: matcher.values[token], length: matcher.lengths[token])
    }

    /// Sorts by a falling weight, then by bytes.
    private struct OrderKey: Comparable {
        let weight: Int
        let value: UInt128
        let length: UInt8

        static func < (left: OrderKey, right: OrderKey) -> Bool {
            if left.weight != right.weight { return left.weight > right.weight }
            if left.value != right.value { return left.value.byteSwapped < right.value.byteSwapped }
            return left.length < right.length
        }
    }
}
