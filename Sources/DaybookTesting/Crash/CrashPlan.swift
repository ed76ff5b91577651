import DaybookBytes

/// What becomes of each pending operation in one image.
struct CrashPlan: Sendable {
    /// What becomes of one operation.
    enum Outcome: Sendable {
        case kept
        case dropped
        /// Of a write, the bytes before `cut` land, the next `damagedCount` are damaged, and the
        /// file has the size that the whole write gives it if `keepsSize`.
        case torn(cut: Int, damagedCount: Int, CrashDamage, keepsSize: Bool)
        /// Of a write, each sector lands with this chance in 256.
        case scattered(chance: UInt8)
        /// The file grows as if the write had landed, and nothing of it is there.
        case sizeOnly
    }

    /// What becomes of those without an outcome of their own.
    var rest: Outcome
    /// Outcomes by place among the pending operations.
    var outcomes: [Int: Outcome] = [:]
    /// The sizes that files have in the end, whatever the operations gave them.
    var sizes: [Int: Int] = [:]
    /// Mixed into the caller's seed wherever chance decides.
    var seed: UInt64 = 0

    subscript(index: Int) -> Outcome { outcomes[index] ?? rest }
}

/// What a sector holds that was being written when the power went.
enum CrashDamage: CaseIterable, Sendable {
    case old, zeros, garbage
}

extension MemoryVolume {
    /// The bytes that a disk writes as one.
    static let sectorLength = 512

    /// Applies what a plan leaves of an operation.
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
    /// What is written over the sector; nothing, where it keeps what it had.
    fileprivate func bytes(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        switch self {
        case .old: []
        case .zeros: [UInt8](repeating: 0, count: count)
        case .garbage: (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        }
    }
}
