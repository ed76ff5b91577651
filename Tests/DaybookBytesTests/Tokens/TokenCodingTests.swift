import DaybookBytes
import DaybookTesting
import Testing

struct TokenCodingTests {
    private static let sample = TokenTexts.mixed(4000, seed: 11)

    private func trained() throws -> TokenTable {
        try #require(TokenTexts.train(Self.sample))
    }

    private func minimal(oneByteCount: Int = 256) throws -> TokenTable {
        try TokenTable(bytes: TokenTexts.stored(oneByteCount: oneByteCount))
    }

    /// A table of all single bytes and a token of each longer length, "ab" to "abcdefghijklmnop".
    private func growing(oneByteCount: Int) throws -> TokenTable {
        let tokens = (2...16).map { Array("abcdefghijklmnop".utf8.prefix($0)) }
        return try TokenTable(bytes: TokenTexts.stored(tokens, oneByteCount: oneByteCount))
    }

    @Test func `texts of every kind round-trip`() throws {
        let tables = try [
            trained(), minimal(), minimal(oneByteCount: 0), growing(oneByteCount: 255),
            growing(oneByteCount: 100),
        ]
        let texts =
            TokenTexts.special + TokenTexts.random(300, lengthMax: 200, seed: 12)
            + Self.sample.prefix(400) + TokenTexts.mixed(400, seed: 13)
        for table in tables {
            let encoder = TokenEncoder(table)
            for text in texts {
                let stored = TokenTexts.encode(text, encoder)
                #expect(stored.count <= 2 * text.count)
                let decoded = try TokenTexts.decode(stored, table, room: text.count)
                #expect(decoded.text == text)
                #expect(decoded.isConfined)
            }
        }
    }

    @Test func `with 256 codes of one byte and no other tokens, each code is its byte`() throws {
        let encoder = TokenEncoder(try minimal())
        for text in TokenTexts.special { #expect(TokenTexts.encode(text, encoder) == text) }
    }

    @Test func `codes have the bytes of the documented example`() throws {
        let tokens = ["an", "ban", "ana"].map { Array($0.utf8) }
        let table = try TokenTable(bytes: TokenTexts.stored(tokens, oneByteCount: 255))
        // "ban" is token 257, "ana" is token 258: 255 + (255 - 255) * 256 + 3.
        let stored = TokenTexts.encode(Array("banana".utf8), TokenEncoder(table))
        #expect(stored == [255, 2, 255, 3])
        #expect(
            try TokenTexts.decode([255, 1, 65, 255, 0], table, room: 9).text == [97, 110, 65, 255])
    }

    @Test func `second bytes continue the numbers of the first byte`() throws {
        let table = try minimal(oneByteCount: 0)
        let encoder = TokenEncoder(table)
        #expect(TokenTexts.encode([0, 255], encoder) == [0, 0, 0, 255])
        let split = try growing(oneByteCount: 250)
        // Token 256 is the seventh with two bytes; token 270 is the twenty-first.
        #expect(TokenTexts.encode(Array("ab".utf8), TokenEncoder(split)) == [250, 6])
        #expect(
            TokenTexts.encode(Array("abcdefghijklmnop".utf8), TokenEncoder(split)) == [250, 20])
    }

    @Test func `a code after the first 256 of two bytes has the next first byte`() throws {
        let pairs = (0..<400).map { [UInt8($0 & 255), 200 + UInt8($0 >> 8)] }
        let table = try TokenTable(bytes: TokenTexts.stored(pairs, oneByteCount: 250))
        // Token 255 + 257 = 512 is number 262 of the two-byte codes.
        #expect(TokenTexts.encode(pairs[256], TokenEncoder(table)) == [251, 6])
        #expect(try TokenTexts.decode([251, 6], table, room: 2).text == pairs[256])
    }

    @Test func `at each place the longest token is taken`() throws {
        let table = try growing(oneByteCount: 255)
        let encoder = TokenEncoder(table)
        let alphabet = Array("abcdefghijklmnop".utf8)
        for length in 2...16 {
            // Token 256 is "ab"; its code is 255 and 1.
            let code: [UInt8] = [255, UInt8(length - 1)]
            let text = Array(alphabet.prefix(length))
            #expect(TokenTexts.encode(text, encoder) == code)
            // Text that follows does not change the code, wherever the end is.
            for tail in 1...20 {
                let longer = text + [UInt8](repeating: 46, count: tail)
                let expected = code + [UInt8](repeating: 46, count: tail)
                #expect(TokenTexts.encode(longer, encoder) == expected)
            }
        }
        #expect(TokenTexts.encode(Array("aab".utf8), encoder) == [97, 255, 1])
    }

    @Test func `the encoder takes the longest of all tokens of a large table`() throws {
        let table = try trained()
        let encoder = TokenEncoder(table)
        let tokens = TokenTexts.tokens(of: table)
        let known = Set(tokens)
        for text in TokenTexts.mixed(200, seed: 21) {
            var expected: [UInt8] = []
            var place = 0
            while place < text.count {
                let length = (1...min(16, text.count - place)).last {
                    known.contains(Array(text[place..<(place + $0)]))
                }
                expected += text[place..<(place + (length ?? 1))]
                let stored = TokenTexts.encode(Array(text[place...]), encoder)
                let first = try TokenTexts.decode(
                    Array(
                        stored.prefix(Int(stored[0]) < TokenTexts.oneByteCount(of: table) ? 1 : 2)),
                    table, room: 16)
                #expect(first.text.count == length)
                place += length ?? 1
            }
            #expect(expected == text)
        }
    }

    @Test func `encoding appends to the bytes of the writer`() throws {
        let encoder = TokenEncoder(try minimal())
        var writer = ByteWriter(capacity: 16)
        writer.uint32(7)
        let text: [UInt8] = [1, 2, 3]
        for _ in 0..<100 { encoder.encode(text.span, to: &writer) }
        #expect(writer.bytes == [7, 0, 0, 0] + (0..<100).flatMap { _ in text })
    }

    @Test func `decoding uses exactly the room that the text needs`() throws {
        let table = try trained()
        let encoder = TokenEncoder(table)
        for text in TokenTexts.mixed(200, seed: 14) + TokenTexts.special where !text.isEmpty {
            let stored = TokenTexts.encode(text, encoder)
            for room in text.count...(text.count + 20) {
                let decoded = try TokenTexts.decode(stored, table, room: room)
                #expect(decoded.text == text)
                #expect(decoded.isConfined)
            }
            for room in max(0, text.count - 20)..<text.count {
                let error = #expect(throws: DaybookError.self) {
                    try TokenTexts.decode(stored, table, room: room)
                }
                #expect(error?.code == .corruption)
            }
        }
    }

    @Test(arguments: 1...4)
    func `mutated codes decode within the limit or are corruption`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let table = try trained()
        let encoder = TokenEncoder(table)
        var failureCount = 0
        for text in TokenTexts.mixed(1000, seed: seed) {
            var stored = TokenTexts.encode(text, encoder)
            for _ in 0...(generator.next() % 3) {
                let offset = Int(generator.next() % UInt64(stored.count))
                stored[offset] = UInt8(truncatingIfNeeded: generator.next())
            }
            do throws(DaybookError) {
                let decoded = try TokenTexts.decode(stored, table, room: text.count)
                #expect(decoded.isConfined)
                #expect(decoded.text.count <= text.count)
            } catch {
                #expect(error.code == .corruption)
                failureCount += 1
            }
        }
        #expect(failureCount > 10)
        #expect(failureCount < 990)
    }

    @Test func `a cut code and a code without a token are corruption`() throws {
        let table = try growing(oneByteCount: 255)
        for (stored, problem): ([UInt8], String) in [
            ([255], "cut"), ([97, 255], "cut"), ([255, 16], "no token"), ([255, 255], "no token"),
            ([97, 255, 200, 97], "no token"),
        ] {
            let error = #expect(throws: DaybookError.self) {
                try TokenTexts.decode(stored, table, room: 100)
            }
            #expect(error?.code == .corruption)
            #expect(error?.message.contains(problem) == true)
        }
        #expect(try TokenTexts.decode([255, 15], table, room: 100).text.count == 16)
    }

    @Test func `a place or limit outside the target is corruption`() throws {
        let table = try minimal()
        var memory = [UInt8](repeating: 9, count: 10)
        let stored: [UInt8] = [1]
        for (place, limit) in [(-1, 10), (0, 11), (6, 5), (11, 11), (0, -1), (Int.min, Int.max)] {
            var target = memory.mutableSpan
            var code: DaybookError.Code?
            do throws(DaybookError) {
                _ = try table.decoder.decode(stored.span, to: &target, at: place, limit: limit)
            } catch {
                code = error.code
            }
            #expect(code == .corruption)
        }
        #expect(memory == [UInt8](repeating: 9, count: 10))
    }

    @Test func `an empty text ends at its place`() throws {
        let table = try minimal()
        var memory = [UInt8](repeating: 9, count: 10)
        let empty: [UInt8] = []
        for place in 0...10 {
            var target = memory.mutableSpan
            let end = try table.decoder.decode(empty.span, to: &target, at: place, limit: place)
            #expect(end == place)
        }
        #expect(memory == [UInt8](repeating: 9, count: 10))
    }

    @Test func `many tasks share one table and one encoder`() async throws {
        let table = try trained()
        let encoder = TokenEncoder(table)
        let failures = await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    TokenTexts.mixed(300, seed: UInt64(task)).count { text in
                        let stored = TokenTexts.encode(text, encoder)
                        return (try? TokenTexts.decode(stored, table, room: 300).text) != text
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(failures == 0)
    }
}
