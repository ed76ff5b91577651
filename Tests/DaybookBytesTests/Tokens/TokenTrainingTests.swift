import DaybookBytes
import DaybookTesting
import Testing

struct TokenTrainingTests {
    /// The bytes of all codes of the texts.
    private func encodedBytes(_ texts: [[UInt8]], _ table: TokenTable) -> Int {
        let encoder = TokenEncoder(table)
        return texts.reduce(0) { $0 + TokenTexts.encode($1, encoder).count }
    }

    /// The bytes of all codes of the texts for a thousand bytes of text.
    private func perMille(_ texts: [[UInt8]], _ table: TokenTable, others: Int = 0) -> Int {
        (encodedBytes(texts, table) + others) * 1000 / rawBytes(texts)
    }

    private func rawBytes(_ texts: [[UInt8]]) -> Int { texts.reduce(0) { $0 + $1.count } }

    @Test func `the same sample has the same table everywhere`() throws {
        let texts = TokenTexts.mixed(3000, seed: 31)
        let table = try #require(TokenTexts.train(texts))
        #expect(TokenTexts.train(texts)?.bytes == table.bytes)
        // Another table is no error, but stores must be equal on all machines.
        #expect(table.bytes.count == 2027)
        let bytes = table.bytes
        let hash = XXH64.hash(bytes.span)
        #expect(hash == 14_687_294_659_978_748_830)
    }

    @Test func `a table shrinks names, categories, sentences and numbers to a third`() throws {
        let texts = TokenTexts.mixed(20_000, seed: 32)
        let table = try #require(TokenTexts.train(texts))
        let withTable = perMille(texts, table, others: table.bytes.count)
        #expect(withTable < 280)
        let others = TokenTexts.mixed(20_000, seed: 33)
        #expect(perMille(others, table) < 300)
        for kind in 0..<4 {
            let part = texts.indices.filter { $0 % 4 == kind }.map { texts[$0] }
            #expect(perMille(part, table) < [350, 95, 225, 465][kind])
        }
    }

    @Test func `texts of few spellings have about one byte each`() throws {
        let spellings = (0..<50).map { Array("category \($0)".utf8) }
        let texts = (0..<5000).map { spellings[($0 * 17) % 50] }
        let table = try #require(TokenTexts.train(texts))
        #expect(encodedBytes(texts, table) == 5000)
    }

    @Test func `a sample without repetition has no table`() {
        #expect(TokenTexts.train([]) == nil)
        #expect(TokenTexts.train([[], [], []]) == nil)
        #expect(TokenTexts.train([Array("a name".utf8)]) == nil)
        #expect(TokenTexts.train(TokenTexts.mixed(20, seed: 34)) == nil)
        #expect(TokenTexts.train(TokenTexts.random(2000, lengthMax: 60, seed: 35)) == nil)
    }

    @Test func `the table of a small sample is small`() throws {
        let texts = TokenTexts.mixed(200, seed: 36)
        let table = try #require(TokenTexts.train(texts))
        #expect(table.bytes.count < rawBytes(texts) / 4)
        #expect(encodedBytes(texts, table) + table.bytes.count < rawBytes(texts))
    }

    @Test func `each token is used and saves more than its stored bytes`() throws {
        let texts = TokenTexts.mixed(2000, seed: 37)
        let table = try #require(TokenTexts.train(texts))
        let encoder = TokenEncoder(table)
        let tokens = TokenTexts.tokens(of: table)
        let all = texts.map { TokenTexts.encode($0, encoder) }
        let oneByteCount = TokenTexts.oneByteCount(of: table)
        var uses = [Int](repeating: 0, count: tokens.count)
        for stored in all {
            var place = 0
            while place < stored.count {
                let first = Int(stored[place])
                let isShort = first < oneByteCount
                let token =
                    isShort
                    ? first : oneByteCount + (first - oneByteCount) * 256 + Int(stored[place + 1])
                uses[token] += 1
                place += isShort ? 1 : 2
            }
        }
        for (token, count) in zip(tokens, uses) where token.count > 1 {
            #expect(count * (2 * token.count - 1) > token.count)
        }
        #expect(uses == uses.sorted(by: >))
    }

    @Test func `a large sample is trained from a part of every kind of its strings`() throws {
        // Four kinds of texts take turns, and a quarter of the bytes is chosen.
        let texts = TokenTexts.mixed(40_000, seed: 38)
        let trained = TokenTexts.train(texts, chosenBytesMax: rawBytes(texts) / 4)
        let table = try #require(trained)
        #expect(table.bytes != TokenTexts.train(texts)?.bytes)
        for kind in 0..<4 {
            let part = stride(from: kind, to: texts.count, by: 4).map { texts[$0] }
            #expect(perMille(part, table) < [335, 95, 225, 450][kind])
        }
    }

    @Test func `a sample with more useful tokens than codes fills the table`() throws {
        // Each text of four bytes occurs often, and has nothing in common with the others.
        let bytes = TokenTexts.random(lengths: [4 * 36_000], seed: 39)[0]
        let texts = stride(from: 0, to: bytes.count, by: 4).map { Array(bytes[$0..<($0 + 4)]) }
        let trained = TokenTexts.train((0..<6).flatMap { _ in texts })
        let table = try #require(trained)
        let tokens = TokenTexts.tokens(of: table)
        #expect((32_700...32_768).contains(tokens.count))
        #expect(Set(tokens).count == tokens.count)
        #expect(tokens.allSatisfy { (1...16).contains($0.count) })
        #expect(TokenTexts.oneByteCount(of: table) == 128)
        let encoder = TokenEncoder(table)
        for text in texts.prefix(1000) {
            let stored = TokenTexts.encode(text, encoder)
            #expect(try TokenTexts.decode(stored, table, room: text.count).text == text)
        }
    }
}
