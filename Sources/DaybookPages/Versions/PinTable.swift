internal import Synchronization

/// The versions that long reads pin, the holds of memory, and the lock of the publishers.
final class PinTable: Sendable {
    private struct Pins {
        var versions: [UInt64: Int] = [:]
        var holds: [UInt64: Int] = [:]
    }

    private let pins = Mutex(Pins())
    private let publishing = Mutex<Void>(())

    /// Adds a pin of the version that `choose` returns. No other access to the pins runs meanwhile.
    func add(_ choose: () -> PageVersion) -> PageVersion {
        pins.withLock { pins in
            let version = choose()
            pins.versions[version.sequence, default: 0] += 1
            return version
        }
    }

    func remove(_ sequence: UInt64) {
        pins.withLock { pins in Self.remove(sequence, from: &pins.versions) }
    }

    /// Adds a hold of the memory that readers of the sequence that `choose` returns can find. No
    /// other access to the pins runs meanwhile.
    func hold(_ choose: () -> UInt64) -> UInt64 {
        pins.withLock { pins in
            let sequence = choose()
            pins.holds[sequence, default: 0] += 1
            return sequence
        }
    }

    func release(_ sequence: UInt64) {
        pins.withLock { pins in Self.remove(sequence, from: &pins.holds) }
    }

    private static func remove(_ sequence: UInt64, from counts: inout [UInt64: Int]) {
        guard let count = counts[sequence] else {
            preconditionFailure("a pin is released twice")
        }
        counts[sequence] = count > 1 ? count - 1 : nil
    }

    func appendSequences(to sequences: inout [UInt64]) {
        pins.withLock { pins in
            if !pins.versions.isEmpty { sequences.append(contentsOf: pins.versions.keys) }
        }
    }

    /// The number of pins.
    var versionCount: Int { pins.withLock { $0.versions.values.reduce(0, +) } }

    /// The lowest sequence of a hold.
    var oldestHold: UInt64? { pins.withLock { $0.holds.keys.min() } }

    /// Runs one publisher at a time.
    func whilePublishing(_ body: () -> Void) {
        publishing.withLock { _ in body() }
    }
}
