import DaybookBytes
import DaybookTesting
import Testing

struct TokenTableTests {
    private static let some = TokenTexts.stored(
        [Array("ab".utf8), Array("abcdefghijklmnop".utf8), Array("xyz".utf8)], oneByteCount: 255)

    private func code(_ bytes: [UInt8]) -> DaybookError.Code? {
        do throws(DaybookError) {
            _ = try TokenTable(bytes: bytes)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `a stored table keeps its bytes`() throws {
        #expect(try TokenTable(bytes: Self.some).bytes == Self.some)
        let smallest = TokenTexts.stored(oneByteCount: 256)
        #expect(smallest.count == 9 + 128 + 256)
        #expect(try TokenTable(bytes: smallest).bytes == smallest)
    }

    @Test func `a table is recognized by its first four bytes`() {
        func isTable(_ bytes: [UInt8]) -> Bool { TokenTable.isTable(bytes.span) }
        #expect(isTable(Self.some))
        #expect(isTable(Array("DTOK".utf8)))
        for other in ["", "DTO", "DTOk", "XTOK", " DTOK"] {
            #expect(!isTable(Array(other.utf8)))
        }
    }

    @Test func `every truncated table is corruption`() {
        for count in Self.some.indices {
            #expect(code(Array(Self.some[..<count])) == .corruption)
        }
        #expect(code(Self.some + [0]) == .corruption)
    }

    /// The number of tokens is odd: there is an unused half byte after the lengths, at 138.
    private static let wrongBytes: [(offset: Int, value: UInt8)] = [
        // Another magic, and other formats.
        (0, 0x45), (3, 0), (4, 0), (4, 2),
        // 511, 767 and 65,535 codes of one byte.
        (6, 1), (6, 2), (6, 255),
        // 258, 260, 3, 515 and 32,771 tokens.
        (7, 2), (7, 4), (8, 0), (8, 2), (8, 0x80),
        // Another length of a single byte, of the last token and of the unused half byte.
        (9, 0x10), (138, 0x0E), (138, 1), (138, 0x12),
        // The bytes 0 and 1 are missing.
        (139, 1), (140, 0),
    ]

    @Test(arguments: wrongBytes)
    func `a table with one wrong byte is corruption`(offset: Int, value: UInt8) {
        var bytes = Self.some
        #expect(bytes[offset] != value)
        bytes[offset] = value
        #expect(code(bytes) == .corruption)
    }

    @Test func `the number of tokens has room in the codes`() {
        let pairs = (0..<32513).map { [UInt8($0 & 255), UInt8($0 >> 8)] }
        #expect(code(TokenTexts.stored(Array(pairs[..<32512]), oneByteCount: 128)) == nil)
        #expect(code(TokenTexts.stored(pairs, oneByteCount: 128)) == .corruption)
        #expect(code(TokenTexts.stored(Array(pairs[..<32512]), oneByteCount: 129)) == .corruption)
        #expect(code(TokenTexts.stored(Array(pairs[..<255]), oneByteCount: 255)) == nil)
        #expect(code(TokenTexts.stored(Array(pairs[..<256]), oneByteCount: 255)) == .corruption)
        #expect(code(TokenTexts.stored([[1, 2]], oneByteCount: 256)) == .corruption)
    }

    @Test func `a table without one of the single bytes is corruption`() {
        for missing in [0, 1, 65, 255] {
            var tokens = (0...255).map { [UInt8($0)] } + [[1, 2]]
            tokens[missing] = [7, 7]
            #expect(code(TokenTexts.stored(all: tokens, oneByteCount: 200)) == .corruption)
        }
    }

    @Test(arguments: 1...4)
    func `mutated tables are valid or corruption and never trap`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let trained = try #require(TokenTexts.train(TokenTexts.mixed(400, seed: seed)))
        let text = Array("category 7, item-1234".utf8)
        var validCount = 0
        for _ in 0..<1500 {
            var bytes = generator.next() % 2 == 0 ? trained.bytes : Self.some
            for _ in 0...(generator.next() % 3) {
                // Half of the mutations are in the header and the lengths.
                let range = generator.next() % 2 == 0 ? 150 : bytes.count
                let offset = Int(generator.next() % UInt64(range))
                bytes[offset] = UInt8(truncatingIfNeeded: generator.next())
            }
            do throws(DaybookError) {
                let table = try TokenTable(bytes: bytes)
                validCount += 1
                #expect(table.bytes == bytes)
                let stored = TokenTexts.encode(text, TokenEncoder(table))
                #expect(try TokenTexts.decode(stored, table, room: text.count).text == text)
            } catch {
                #expect(error.code == .corruption)
            }
        }
        #expect(validCount > 50)
        #expect(validCount < 1450)
    }
}
