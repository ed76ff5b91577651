/// The outcome of each pending operation in one image.
struct CrashPlan: Sendable {
    /// The outcome of one operation.
    enum Outcome: Sendable {
        case kept
        case dropped
        /// Of a write, the bytes before `cut` survive and the next `damagedCount` are damaged. If
        /// `keepsSize`, the file has the size after the whole write.
        case torn(cut: Int, damagedCount: Int, CrashDamage, keepsSize: Bool)
        /// Of a write, each sector survives with a probability of `chance` in 256.
        case scattered(chance: UInt8)
        /// The file grows to the size after the write, but none of the bytes survive.
        case sizeOnly
    }

    /// The outcome of operations that are not in `outcomes`.
    var rest: Outcome
    /// Outcomes by index among the pending operations.
    var outcomes: [Int: Outcome] = [:]
    /// Final sizes of files, which override the sizes that the operations give.
    var sizes: [Int: Int] = [:]
    /// Combined with the caller's seed for random decisions.
    var seed: UInt64 = 0

    subscript(index: Int) -> Outcome { outcomes[index] ?? rest }
}

/// The content of a sector that was being written when the power failed.
enum CrashDamage: CaseIterable, Sendable {
    case old, zeros, garbage
}

extension MemoryVolume {
    /// The atomic unit of a disk write, in bytes.
    static let sectorLength = 512

    /// Applies the surviving part of an operation.
    mutating func apply(
        _ operation: MemoryOperation, _ outcome: CrashPlan.Outcome,
        _ random: inout SeededGenerator
    ) {
        guard case .write(let file, let offset, let bytes) = operation else {
            switch outcome {
            case .dropped: break
            case .scattered(let chance):
                if random.next(upTo: 256) < chance { apply(operation) }
            case .kept, .torn, .sizeOnly: apply(operation)
            }
            return
        }
        switch outcome {
        case .kept: apply(operation)
        case .dropped: break
        case .sizeOnly: nodes[file].content.grow(to: offset + bytes.count)
        case .torn(let cut, let damagedCount, let damage, let keepsSize):
            nodes[file].content.write(bytes.span.extracting(0..<cut), at: offset)
            let damaged = damage.bytes(damagedCount, &random)
            nodes[file].content.write(damaged.span, at: offset + cut)
            if keepsSize { nodes[file].content.grow(to: offset + bytes.count) }
        case .scattered(let chance):
            var start = 0
            while start < bytes.count {
                let sectorEnd = Self.sectorLength - (offset + start) % Self.sectorLength
                let end = min(bytes.count, start + sectorEnd)
                if random.next(upTo: 256) < chance {
                    let sector = bytes.span.extracting(start..<end)
                    nodes[file].content.write(sector, at: offset + start)
                } else if random.next(upTo: 16) == 0 {
                    let damage: CrashDamage = random.next(upTo: 2) == 0 ? .zeros : .garbage
                    let damaged = damage.bytes(end - start, &random)
                    nodes[file].content.write(damaged.span, at: offset + start)
                }
                start = end
            }
        }
    }
}

extension CrashDamage {
    /// The bytes to write over the sector; empty if the sector keeps its old content.
    fileprivate func bytes(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        switch self {
        case .old: []
        case .zeros: [UInt8](repeating: 0, count: count)
        case .garbage: (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        }
    }
}
