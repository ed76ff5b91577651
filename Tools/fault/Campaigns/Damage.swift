import DaybookBytes
import DaybookTesting

/// A kind of damage to the bytes of one file.
enum Damage: CustomStringConvertible {
    case cut(to: Int)
    case grown(by: Int)
    case flipped(byte: Int, bit: Int)
    case zeroed(Range<Int>)
    case overwritten(Range<Int>, from: Int)
    case swapped(Range<Int>, with: Int)

    /// The fraction of the possible damages that is tried. The seed selects them, so that runs with
    /// different seeds try different ones.
    struct Density {
        /// The distance between two truncations, in bytes.
        var cutStep: Int
        /// The distance between two bytes whose bits are flipped, one after another.
        var flipStep: Int
        /// The number of bits that are flipped in each of the first and last bytes.
        var endBitCount: Int

        static let quick = Density(cutStep: 16, flipStep: 256, endBitCount: 1)
        static let normal = Density(cutStep: 4, flipStep: 64, endBitCount: 2)
        static let long = Density(cutStep: 1, flipStep: 1, endBitCount: 8)
    }

    private static let sectorLength = 512

    /// Calls `visit` with damaged copies until it returns false.
    static func forEach(
        of bytes: [UInt8], _ density: Density, seed: UInt64,
        _ visit: (Damage, [UInt8]) -> Bool
    ) {
        for damage in all(bytes.count, density, seed) {
            if damage.isWithinZeros(of: bytes) { continue }
            let changed = damage.apply(to: bytes)
            if changed == bytes { continue }
            if !visit(damage, changed) { return }
        }
    }

    private static func all(_ count: Int, _ density: Density, _ seed: UInt64) -> [Damage] {
        var all: [Damage] = []
        var random = SeededGenerator(seed: seed)
        let firstCut = Int.random(in: 0..<density.cutStep, using: &random)
        let firstFlip = Int.random(in: 0..<density.flipStep, using: &random)
        for length in stride(from: firstCut, to: count, by: density.cutStep) {
            all.append(.cut(to: length))
        }
        if count > 0 { all += [.cut(to: 0), .cut(to: count - 1)] }
        all += [1, 8, 512, 5_000].map { .grown(by: $0) }
        for byte in stride(from: firstFlip, to: count, by: density.flipStep) {
            for bit in 0..<8 { all.append(.flipped(byte: byte, bit: bit)) }
        }
        // Flips more bits of the first and last bytes, which are headers and checksums.
        for byte in Set(0..<min(count, 96)).union(max(0, count - 96)..<count).sorted()
        where byte % density.flipStep != firstFlip {
            for bit in (0..<8).shuffled(using: &random).prefix(density.endBitCount) {
                all.append(.flipped(byte: byte, bit: bit))
            }
        }
        let sectors = stride(from: 0, to: count, by: sectorLength).map {
            $0..<min(count, $0 + sectorLength)
        }
        for sector in sectors {
            all.append(.zeroed(sector))
            guard let other = sectors.randomElement(using: &random) else { continue }
            all.append(.overwritten(sector, from: other.lowerBound))
            all.append(.swapped(sector, with: other.lowerBound))
        }
        for start in stride(from: firstFlip, to: count, by: density.flipStep) {
            all.append(.zeroed(start..<min(count, start + 2)))
        }
        return all
    }

    /// Whether a truncation or a flip is far from any byte that is not zero: all such damage is
    /// equal, so only some of it is tried.
    private func isWithinZeros(of bytes: [UInt8]) -> Bool {
        let place: Int
        switch self {
        case .cut(let length): place = length
        case .flipped(let byte, _): place = byte
        default: return false
        }
        guard place % Self.sectorLength != 0 else { return false }
        return bytes[max(0, place - 16)..<min(bytes.count, place + 16)].allSatisfy { $0 == 0 }
    }

    private func apply(to bytes: [UInt8]) -> [UInt8] {
        var changed = bytes
        switch self {
        case .cut(let length): changed.removeLast(bytes.count - length)
        case .grown(let count): changed += (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        case .flipped(let byte, let bit): changed[byte] ^= 1 << UInt8(bit)
        case .zeroed(let range): for index in range { changed[index] = 0 }
        case .overwritten(let range, let source), .swapped(let range, let source):
            for (offset, index) in range.enumerated() where source + offset < bytes.count {
                changed[index] = bytes[source + offset]
                if case .swapped = self { changed[source + offset] = bytes[index] }
            }
        }
        return changed
    }

    var description: String {
        switch self {
        case .cut(let length): "cut to \(length) bytes"
        case .grown(let count): "grown by \(count) bytes"
        case .flipped(let byte, let bit): "bit \(bit) of byte \(byte) flipped"
        case .zeroed(let range): "bytes \(range) zeroed"
        case .overwritten(let range, let source):
            "bytes \(range) overwritten by those from \(source)"
        case .swapped(let range, let source): "bytes \(range) swapped with those from \(source)"
        }
    }
}
