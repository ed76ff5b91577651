import DaybookBytes
import DaybookTesting
import Testing

struct XXH64Tests {
    private func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    @Test(
        arguments: [
            ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B),
            ("abc", 0x44BC_2CF5_AD77_0999),
            ("message digest", 0x066E_D728_FCEE_B3BE),
            ("abcdefghijklmnopqrstuvwxyz", 0xCFE1_F278_FA89_835C),
        ] as [(String, UInt64)])
    func `known texts have their known hashes`(text: String, hash: UInt64) {
        let found = XXH64.hash(Array(text.utf8).span)
        #expect(found == hash)
    }

    @Test func `known numbers with a seed`() {
        // The test pattern of the reference implementation: a 32-bit prime, multiplied on.
        let prime: UInt64 = 0x9E37_79B1_85EB_CA8D
        var generator: UInt64 = 2_654_435_761
        let pattern = (0..<222).map { _ in
            defer { generator &*= prime }
            return UInt8(truncatingIfNeeded: generator >> 56)
        }
        let seed: UInt64 = 2_654_435_761
        func hash(_ count: Int, seed: UInt64 = 0) -> UInt64 {
            XXH64.hash(pattern.span.extracting(0..<count), seed: seed)
        }
        #expect(hash(0) == 0xEF46_DB37_51D8_E999)
        #expect(hash(0, seed: seed) == 0xAC75_FDA2_929B_17EF)
        #expect(hash(1) == 0xE934_A84A_DB05_2768)
        #expect(hash(14) == 0x8282_DCC4_994E_35C8)
        #expect(hash(222) == 0xB641_AE8C_B691_C174)
    }

    @Test func `pieces hash like the whole, wherever it is cut`() {
        for count in 0...100 {
            let bytes = bytes(count)
            for seed in [UInt64(0), 1, .max] {
                let whole = XXH64.hash(bytes.span, seed: seed)
                for cut in 0...count {
                    var hash = XXH64(seed: seed)
                    hash.update(bytes.span.extracting(0..<cut))
                    hash.update(bytes.span.extracting(cut..<count))
                    #expect(hash.digest() == whole, "\(count) bytes cut at \(cut)")
                }
            }
        }
    }

    @Test func `random pieces of a long text hash like each prefix`() {
        for seed in UInt64(1)...20 {
            var random = SeededGenerator(seed: seed)
            let bytes = bytes(3000, seed: seed)
            var hash = XXH64()
            var offset = 0
            while offset < bytes.count {
                let length = min(bytes.count - offset, Int.random(in: 0...200, using: &random))
                hash.update(bytes.span.extracting(offset..<(offset + length)))
                offset += length
                let whole = XXH64.hash(bytes.span.extracting(0..<offset))
                #expect(hash.digest() == whole, "seed \(seed), \(offset) bytes")
            }
        }
    }

    @Test func `every bit and the seed change the hash`() {
        let bytes = bytes(70)
        var seen: Set = [XXH64.hash(bytes.span)]
        for index in bytes.indices {
            for bit in 0..<8 {
                var flipped = bytes
                flipped[index] ^= 1 << bit
                seen.insert(XXH64.hash(flipped.span))
            }
        }
        seen.insert(XXH64.hash(bytes.span, seed: 1))
        #expect(seen.count == 70 * 8 + 2)
    }
}
