import DaybookBytes
import Testing

struct ZstdTests {
    private func text(_ count: Int, seed: Int = 1) -> [UInt8] {
        var bytes: [UInt8] = []
        var state = seed
        while bytes.count < count {
            state = (state &* 1_103_515_245 &+ 12345) & 0x7FFF_FFFF
            bytes += Array("{\"name\":\"customer \(state % 97)\",\"city\":\"\(state % 13)\"},".utf8)
        }
        return Array(bytes.prefix(count))
    }

    @Test(arguments: [0, 1, 7, 100, 4096, 65536, 1_000_000], [-7, -1, 0, 1, 3, 9, 12, 13, 22])
    func `compression round-trips at every length and level`(count: Int, level: Int) throws {
        let bytes = text(count)
        let compressed = try Zstd.compress(bytes.span, level: level)
        #expect(try Zstd.decompress(compressed.span, rawLength: count) == bytes)
        if count > 4000 { #expect(compressed.count < count / 2) }
    }

    @Test func `a level above the highest is the highest`() throws {
        let bytes = text(50_000)
        let highest = try Zstd.compress(bytes.span, level: Zstd.levelMax)
        #expect(try Zstd.compress(bytes.span, level: 19) == highest)
        #expect(try Zstd.compress(bytes.span, level: .max) == highest)
        #expect(try !Zstd.compress(bytes.span, level: .min).isEmpty)
    }

    @Test(arguments: [-1, 0, 999, 1001, 1 << 20, Zstd.rawLengthMax, Int.max])
    func `another raw length is corruption`(rawLength: Int) throws {
        let compressed = try Zstd.compress(text(1000).span, level: 1)
        let error = #expect(throws: DaybookError.self) {
            try Zstd.decompress(compressed.span, rawLength: rawLength)
        }
        #expect(error?.code == .corruption)
    }

    @Test func `truncated and damaged input never traps and never gives another length`() throws {
        let bytes = text(300)
        let compressed = try Zstd.compress(bytes.span, level: 3)
        for end in 0..<compressed.count {
            #expect(throws: DaybookError.self) {
                try Zstd.decompress(compressed.span.extracting(0..<end), rawLength: bytes.count)
            }
        }
        for index in compressed.indices {
            for bit in 0..<8 {
                var damaged = compressed
                damaged[index] ^= 1 << bit
                let result = try? Zstd.decompress(damaged.span, rawLength: bytes.count)
                #expect(result == nil || result?.count == bytes.count)
            }
        }
        #expect(throws: DaybookError.self) {
            try Zstd.decompress((compressed + [0]).span, rawLength: bytes.count)
        }
    }

    @Test
    func `a dictionary shrinks small payloads, and decompression requires it`()
        throws
    {
        let samples = (1...2000).map { text(120, seed: $0) }
        let dictionary = try #require(ZstdDictionary.train(samples: samples, capacityBytes: 4096))
        #expect(dictionary.bytes.count <= 4096)
        #expect(dictionary.id != 0)
        let again = try ZstdDictionary(id: dictionary.id, bytes: dictionary.bytes)
        let payload = text(150, seed: 5000)
        let alone = try Zstd.compress(payload.span, level: 3)
        for level in [-1, 1, 3, 12, 15] {
            let compressed = try Zstd.compress(payload.span, level: level, dictionary: dictionary)
            #expect(compressed.count < alone.count)
            let restored = try Zstd.decompress(compressed.span, rawLength: 150, dictionary: again)
            #expect(restored == payload)
            let without = try? Zstd.decompress(compressed.span, rawLength: 150)
            #expect(without != payload)
        }
        // The reused context has lost the dictionary.
        #expect(try Zstd.compress(payload.span, level: 3) == alone)
    }

    @Test func `the trainer rejects too few samples without a trap`() {
        #expect(ZstdDictionary.train(samples: [], capacityBytes: 4096) == nil)
        #expect(ZstdDictionary.train(samples: [[1, 2, 3]], capacityBytes: 4096) == nil)
        #expect(ZstdDictionary.train(samples: [[], [], []], capacityBytes: 4096) == nil)
        let samples = (1...100).map { text(100, seed: $0) }
        #expect(ZstdDictionary.train(samples: samples, capacityBytes: 0) == nil)
        #expect(ZstdDictionary.train(samples: samples, capacityBytes: -1) == nil)
    }

    @Test func `a damaged dictionary is corruption`() {
        // The magic of a trained dictionary, followed by garbage.
        let bytes: [UInt8] = [0x37, 0xA4, 0x30, 0xEC] + [UInt8](repeating: 0xFF, count: 100)
        let error = #expect(throws: DaybookError.self) { try ZstdDictionary(id: 7, bytes: bytes) }
        #expect(error?.code == .corruption)
    }

    @Test func `many tasks compress with one dictionary at once`() async throws {
        let samples = (1...2000).map { text(120, seed: $0) }
        let dictionary = try #require(ZstdDictionary.train(samples: samples, capacityBytes: 2048))
        let failures = await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    (0..<200).count { index in
                        let payload = text(50 + index, seed: task * 1000 + index)
                        let level = index % 5
                        let compressed = try? Zstd.compress(
                            payload.span, level: level, dictionary: dictionary)
                        let restored = compressed.flatMap {
                            try? Zstd.decompress(
                                $0.span, rawLength: payload.count, dictionary: dictionary)
                        }
                        return restored != payload
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(failures == 0)
    }
}
