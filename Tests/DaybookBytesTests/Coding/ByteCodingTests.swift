import DaybookBytes
import DaybookTesting
import Testing

/// ByteWriter, ByteReader and Varint.
struct ByteCodingTests {
    /// The powers of two and their neighbours.
    private static let edges: [UInt64] = {
        var edges: [UInt64] = [.max, .max - 1]
        for shift in UInt64(0)..<64 {
            let power = UInt64(1) << shift
            edges += [power - 1, power, power + 1]
        }
        return edges
    }()

    @Test(arguments: [16, 64, 4096])
    func `written values are read back, with any initial capacity`(capacity: Int) throws {
        var writer = ByteWriter(capacity: capacity)
        for value in Self.edges {
            writer.uint8(UInt8(truncatingIfNeeded: value))
            writer.uint16(UInt16(truncatingIfNeeded: value))
            writer.uint32(UInt32(truncatingIfNeeded: value))
            writer.uint64(value)
            writer.varint(value)
            writer.zigzag(Int64(bitPattern: value))
            writer.text("Grüße \(value)")
            writer.lengthPrefixed([1, 2, 3].span)
        }
        let bytes = writer.bytes
        var reader = ByteReader(bytes.span)
        for value in Self.edges {
            let fixed = try (reader.uint8(), reader.uint16(), reader.uint32(), reader.uint64())
            #expect(fixed.0 == UInt8(truncatingIfNeeded: value))
            #expect(fixed.1 == UInt16(truncatingIfNeeded: value))
            #expect(fixed.2 == UInt32(truncatingIfNeeded: value))
            #expect(fixed.3 == value)
            let variable = try (reader.varint(), reader.zigzag(), reader.text())
            #expect(variable.0 == value)
            #expect(variable.1 == Int64(bitPattern: value))
            #expect(variable.2 == "Grüße \(value)")
            let bytes = try reader.lengthPrefixed().array
            #expect(bytes == [1, 2, 3])
        }
        let isAtEnd = reader.isAtEnd
        #expect(isAtEnd)
    }

    @Test func `numbers are little-endian, byte for byte`() {
        var writer = ByteWriter()
        writer.uint16(0x0102)
        writer.uint32(0x0304_0506)
        writer.uint64(0x0708_090A_0B0C_0D0E)
        #expect(writer.bytes == [2, 1, 6, 5, 4, 3, 14, 13, 12, 11, 10, 9, 8, 7])
    }

    @Test func `the length of a varint is the computed length`() throws {
        for value in Self.edges {
            var writer = ByteWriter()
            writer.varint(value)
            #expect(writer.count == Varint.length(value))
            #expect(writer.count <= Varint.lengthMax)
        }
        #expect(Varint.length(0) == 1)
        #expect(Varint.length(127) == 1)
        #expect(Varint.length(128) == 2)
        #expect(Varint.length(.max) == Varint.lengthMax)
    }

    @Test func `zigzag keeps small magnitudes small and round-trips every number`() {
        #expect([0, -1, 1, -2, 2].map(Varint.zigzag) == [0, 1, 2, 3, 4])
        for value in Self.edges.map({ Int64(bitPattern: $0) }) + [.min, .max] {
            #expect(Varint.unzigzag(Varint.zigzag(value)) == value)
        }
        #expect(Varint.zigzag(.min) == .max)
    }

    @Test(arguments: [
        [], [0x80], [0xFF, 0xFF], [UInt8](repeating: 0xFF, count: 9),
        // Eleven bytes, 65 bits, and the number 0 in two bytes.
        [UInt8](repeating: 0x80, count: 10) + [1], [UInt8](repeating: 0xFF, count: 9) + [2],
        [0x80, 0],
    ])
    func `a damaged varint is corruption`(bytes: [UInt8]) {
        var reader = ByteReader(bytes.span)
        var code: DaybookError.Code?
        do { _ = try reader.varint() } catch { code = error.code }
        #expect(code == .corruption)
    }

    @Test func `a length beyond the end is corruption`() {
        var writer = ByteWriter()
        writer.varint(.max)
        var code: DaybookError.Code?
        let bytes = writer.bytes
        var reader = ByteReader(bytes.span)
        do { _ = try reader.length() } catch { code = error.code }
        #expect(code == .corruption)
        writer.removeAll()
        writer.varint(UInt64(Int.max))
        let long = writer.bytes
        reader = ByteReader(long.span)
        code = nil
        do { _ = try reader.lengthPrefixed() } catch { code = error.code }
        #expect(code == .corruption)
    }

    @Test func `ill-formed text is corruption`() {
        for bytes in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80]] as [[UInt8]] {
            var code: DaybookError.Code?
            do { _ = try String(checkingUTF8: bytes.span) } catch { code = error.code }
            #expect(code == .corruption, "\(bytes)")
        }
    }

    @Test func `empty spans are written and read as no bytes`() throws {
        let empty: [UInt8] = []
        var writer = ByteWriter()
        writer.append(empty.span)
        #expect(writer.bytes == [])
        writer.lengthPrefixed(empty.span)
        writer.text("")
        #expect(writer.bytes == [0, 0])
        let (copied, loaded) = (empty.span.array, empty.span.loadLittleEndian(UInt8.self, at: 0))
        #expect(copied == [])
        #expect(loaded == nil)
        let bytes = writer.bytes
        var reader = ByteReader(bytes.span)
        let text = try reader.text()
        let lengths = try [reader.lengthPrefixed().count, reader.take(0).count]
        #expect(text == "")
        #expect(lengths == [0, 0])
        var nothing = ByteReader(empty.span)
        let (isAtEnd, remaining) = (nothing.isAtEnd, nothing.remaining)
        let taken = try nothing.take(0).count
        #expect(isAtEnd && remaining == 0 && taken == 0)
    }

    @Test func `the reader never traps on random bytes`() {
        for seed in UInt64(1)...300 {
            var random = SeededGenerator(seed: seed)
            let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                UInt8(truncatingIfNeeded: random.next())
            }
            var reader = ByteReader(bytes.span)
            for _ in 0..<40 {
                let before = reader.offset
                do throws(DaybookError) {
                    switch random.next() % 10 {
                    case 0: _ = try reader.uint8()
                    case 1: _ = try reader.uint16()
                    case 2: _ = try reader.uint32()
                    case 3: _ = try reader.uint64()
                    case 4: _ = try reader.varint()
                    case 5: _ = try reader.length()
                    case 6: _ = try reader.text()
                    case 7: _ = try reader.lengthPrefixed()
                    case 8: _ = try reader.take(Int(truncatingIfNeeded: random.next()))
                    default: try reader.skip(Int(random.next() % 9))
                    }
                } catch {
                    #expect(error.code == .corruption, "seed \(seed)")
                }
                let after = reader.offset
                #expect(after >= before && after <= bytes.count, "seed \(seed)")
            }
        }
    }

    @Test func `loads outside of a span are nil, at every offset`() {
        let bytes = (0..<20).map { UInt8($0) }
        for offset in [Int.min, -1, 13, 20, .max] {
            let outside = bytes.span.loadLittleEndian(UInt64.self, at: offset)
            #expect(outside == nil)
        }
        let inside = bytes.span.loadLittleEndian(UInt32.self, at: 1)
        let last = bytes.span.loadLittleEndian(UInt64.self, at: 12)
        #expect(inside == 0x0403_0201)
        #expect(last == 0x1312_1110_0F0E_0D0C)
    }

    @Test func `patches change the written value and no byte around it`() {
        var writer = ByteWriter()
        writer.zeros(10)
        writer.uint8(9)
        writer.patch(uint32: 0x0102_0304, at: 2)
        writer.patch(uint8: 7, at: 0)
        #expect(writer.bytes == [7, 0, 4, 3, 2, 1, 0, 0, 0, 0, 9])
        writer.truncate(to: 3)
        writer.zeros(2)
        #expect(writer.bytes == [7, 0, 4, 0, 0])
        writer.removeAll()
        #expect(writer.bytes == [])
    }

    @Test func `copies of a writer are independent`() {
        var first = ByteWriter()
        first.uint32(1)
        var second = first
        second.uint8(2)
        first.uint8(3)
        #expect(first.bytes == [1, 0, 0, 0, 3])
        #expect(second.bytes == [1, 0, 0, 0, 2])
    }

    @Test func `the generator is reproducible and gives the published numbers`() {
        var random = SeededGenerator(seed: 1_234_567)
        let first = (0..<5).map { _ in random.next() }
        #expect(
            first == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }
}
