import DaybookBytes
import DaybookTesting

/// Texts and tables for the tests of tokens. A seed reproduces them.
enum TokenTexts {
    /// The stored form of a table of all single bytes and `more`, written byte by byte.
    static func stored(_ more: [[UInt8]] = [], oneByteCount: Int) -> [UInt8] {
        stored(all: (0...255).map { [UInt8($0)] } + more, oneByteCount: oneByteCount)
    }

    /// The stored form of a table of any tokens.
    static func stored(all tokens: [[UInt8]], oneByteCount: Int) -> [UInt8] {
        var bytes = Array("DTOK".utf8) + [1]
        bytes += [UInt8(oneByteCount & 255), UInt8(oneByteCount >> 8)]
        bytes += [UInt8(tokens.count & 255), UInt8(tokens.count >> 8)]
        for index in stride(from: 0, to: tokens.count, by: 2) {
            let high = index + 1 < tokens.count ? tokens[index + 1].count - 1 : 0
            bytes.append(UInt8(tokens[index].count - 1 + 16 * high))
        }
        return bytes + tokens.joined()
    }

    /// Names, categories, sentences and numbers, in turn.
    static func mixed(_ count: Int, seed: UInt64) -> [[UInt8]] {
        var generator = SeededGenerator(seed: seed)
        func below(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }
        let syllables = ["ka", "lo", "mi", "ren", "tu", "sha", "bel", "dor", "in", "ar", "est"]
        let words = (0..<500).map { _ in
            (0...below(3)).map { _ in syllables[below(syllables.count)] }.joined()
        }
        // The first words are more frequent than the last ones.
        func word() -> String { words[below(1 + below(words.count))] }
        func capitalized(_ word: String) -> String {
            word.prefix(1).uppercased() + word.dropFirst()
        }
        return (0..<count).map { index in
            let text =
                switch index % 4 {
                case 0: capitalized(word()) + " " + capitalized(word())
                case 1: "category \(below(40))"
                case 2: (0...(3 + below(10))).map { _ in word() }.joined(separator: " ")
                default: "item-\(below(1_000_000))"
                }
            return Array(text.utf8)
        }
    }

    /// Random bytes of random lengths.
    static func random(_ count: Int, lengthMax: Int, seed: UInt64) -> [[UInt8]] {
        var generator = SeededGenerator(seed: seed)
        let lengths = (0..<count).map { _ in Int(generator.next() % UInt64(lengthMax + 1)) }
        return random(lengths: lengths, seed: generator.next())
    }

    /// Random bytes.
    static func random(lengths: [Int], seed: UInt64) -> [[UInt8]] {
        var generator = SeededGenerator(seed: seed)
        return lengths.map { length in
            (0..<length).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        }
    }

    /// Texts of every kind that a coder could treat in a special way.
    static let special: [[UInt8]] = [
        [], [0], [255], [65], Array(repeating: 0, count: 16), Array(repeating: 97, count: 100),
        Array(repeating: 255, count: 17), Array("ka".utf8), Array("Grüße aus Köln, 你好 👋🏽".utf8),
        Array(0...255), Array((0...255).reversed()), Array("category 17category 17".utf8),
        Array(String(repeating: "abcdefgh", count: 300).utf8),
    ]

    static func train(
        _ texts: [[UInt8]], chosenBytesMax: Int = TokenTraining.chosenBytesMax
    ) -> TokenTable? {
        TokenTraining.table(
            texts: Array(texts.joined()), lengths: texts.map(\.count),
            chosenBytesMax: chosenBytesMax)
    }

    static func encode(_ text: [UInt8], _ encoder: TokenEncoder) -> [UInt8] {
        var writer = ByteWriter(capacity: 0)
        encoder.encode(text.span, to: &writer)
        return writer.bytes
    }

    /// Decodes into memory with `room` bytes after the place, between bytes that must not change.
    static func decode(
        _ stored: [UInt8], _ table: TokenTable, room: Int
    ) throws(DaybookError) -> (text: [UInt8], isConfined: Bool) {
        let margin = 24
        var memory = [UInt8](repeating: 0xA5, count: margin + room + margin)
        var target = memory.mutableSpan
        var end: Int?
        var failure: DaybookError?
        do throws(DaybookError) {
            end = try table.decoder.decode(
                stored.span, to: &target, at: margin, limit: margin + room)
        } catch {
            failure = error
        }
        let isConfined =
            memory[..<margin].allSatisfy { $0 == 0xA5 }
            && memory[(margin + room)...].allSatisfy { $0 == 0xA5 }
        guard let end else {
            // Memory that changed outside is worse than the error.
            if isConfined, let failure { throw failure }
            return ([], false)
        }
        return (Array(memory[margin..<end]), isConfined)
    }
}

extension TokenTexts {
    static func oneByteCount(of table: TokenTable) -> Int {
        Int(table.bytes[5]) + Int(table.bytes[6]) * 256
    }

    /// The tokens of a table, from its stored form.
    static func tokens(of table: TokenTable) -> [[UInt8]] {
        let bytes = table.bytes
        let count = Int(bytes[7]) + Int(bytes[8]) * 256
        var place = 9 + (count + 1) / 2
        func capitalized(_ word: String) -> String {
            word.prefix(1).uppercased() + word.dropFirst()
        }
        return (0..<count).map { index in
            let pair = bytes[9 + index / 2]
            let length = Int(index % 2 == 0 ? pair & 15 : pair >> 4) + 1
            defer { place += length }
            return Array(bytes[place..<(place + length)])
        }
    }
}
