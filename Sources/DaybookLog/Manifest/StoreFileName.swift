/// The names of a store's files.
///
/// Numbers are padded so that names sort by age. Segment numbers and manifest generations are never
/// reused, so a file that reappears after a crash is recognisably stale.
package enum StoreFileName: Hashable, Sendable {
    case lock
    case current
    case manifest(generation: UInt64)
    case segment(firstSequence: UInt64, number: UInt64)
    /// `number` distinguishes the snapshots at the same sequence, from 1.
    case snapshot(sequence: UInt64, number: UInt64)
    case quarantine
    /// The place of a replica in its replicated log.
    case replica
    /// A file that was being written when the process ended.
    case temporary(of: String)

    /// The name in the directory.
    package var text: String {
        switch self {
        case .lock: "LOCK"
        case .current: "CURRENT"
        case .manifest(let generation): "manifest-" + Self.padded(generation, 10)
        case .segment(let first, let number):
            "segment-" + Self.padded(first, 20) + "-" + Self.padded(number, 6)
        case .snapshot(let sequence, let number):
            "snapshot-" + Self.padded(sequence, 20) + "-" + Self.padded(number, 6)
        case .quarantine: "quarantine"
        case .replica: "replica"
        case .temporary(let name): name + ".tmp"
        }
    }

    /// Parses a name; nil for foreign files.
    package init?(_ text: String) {
        if text.hasSuffix(".tmp") {
            guard let name = StoreFileName(String(text.dropLast(4))) else { return nil }
            self = .temporary(of: name.text)
            return
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        switch (parts[0], parts.count) {
        case ("LOCK", 1): self = .lock
        case ("CURRENT", 1): self = .current
        case ("quarantine", 1): self = .quarantine
        case ("replica", 1): self = .replica
        case ("manifest", 2):
            guard let generation = UInt64(parts[1]) else { return nil }
            self = .manifest(generation: generation)
        case ("segment", 3):
            guard let first = UInt64(parts[1]), let number = UInt64(parts[2]) else { return nil }
            self = .segment(firstSequence: first, number: number)
        case ("snapshot", 3):
            guard let sequence = UInt64(parts[1]), let number = UInt64(parts[2]) else { return nil }
            self = .snapshot(sequence: sequence, number: number)
        default: return nil
        }
        guard self.text == text else { return nil }
    }

    /// The generation of a manifest; nil for other files.
    var manifestGeneration: UInt64? {
        if case .manifest(let generation) = self { return generation }
        return nil
    }

    /// Whether the file shows that a directory is that of a store, whatever else is in it.
    var namesStore: Bool { self == .current || manifestGeneration != nil }

    private static func padded(_ number: UInt64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
