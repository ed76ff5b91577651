internal import Synchronization

/// The versions that long reads pin, and the lock of the publishers.
final class PinTable: Sendable {
    private let counts = Mutex<[UInt64: Int]>([:])
    private let publishing = Mutex<Void>(())

    /// Adds a pin of the version that `choose` returns. No other access to the pins runs meanwhile.
    func add(_ choose: () -> PageVersion) -> PageVersion {
        counts.withLock { counts in
            let version = choose()
            counts[version.sequence, default: 0] += 1
            return version
        }
    }

    func remove(_ sequence: UInt64) {
        counts.withLock { counts in
            guard let count = counts[sequence] else {
                preconditionFailure("a pin is released twice")
            }
            counts[sequence] = count > 1 ? count - 1 : nil
        }
    }

    func appendSequences(to sequences: inout [UInt64]) {
        counts.withLock { counts in
            if !counts.isEmpty { sequences.append(contentsOf: counts.keys) }
        }
    }

    /// Runs one publisher at a time.
    func whilePublishing(_ body: () -> Void) {
        publishing.withLock { _ in body() }
    }
}
