import DaybookBytes

/// The outcome of each pending operation in one image.
struct CrashPlan: Sendable {
    /// The outcome of one operation.
    enum Outcome: Sendable {
        case kept
        case dropped
        /// The bytes of a write before `cut` survive, and the next `damagedCount` are damaged. With
        /// `keepsSize` the file has the size of the whole write.
        case torn(cut: Int, damagedCount: Int, CrashDamage, keepsSize: Bool)
        /// Each sector of a write survives with this chance in 256.
        case scattered(chance: UInt8)
        /// The file has the size of the write, without its bytes.
        case sizeOnly
    }

    /// The outcome of operations that are not in ``outcomes``.
    var rest: Outcome
    /// Outcomes by index among the pending operations.
    var outcomes: [Int: Outcome] = [:]
    /// The final sizes of files; they override the operations.
    var sizes: [Int: Int] = [:]
    /// Combined with the seed of the caller for random choices.
    var seed: UInt64 = 0

    subscript(index: Int) -> Outcome { outcomes[index] ?? rest }
}

/// The content of a sector that was being written during the power failure.
enum CrashDamage: CaseIterable, Sendable {
    case old, zeros, garbage
}

extension MemoryVolume {
    /// The number of bytes that a disk writes at once.
    static let sectorLength = 512

    /// Applies the outcome of an operation.
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
    /// The new content of the sector; empty if the sector keeps its content.
    fileprivate func bytes(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        switch self {
        case .old: []
        case .zeros: [UInt8](repeating: 0, count: count)
        case .garbage: (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        }
    }
}
