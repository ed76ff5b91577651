import Foundation

/// Counts the violations of a campaign and prints each one as soon as it is found, so that an
/// aborted run loses none.
struct CampaignReport {
    /// The number of violations after which a campaign stops.
    private static let violationCountMax = 60

    let name: String
    let seed: UInt64
    private let began = Date()
    private(set) var violationCount = 0
    private var kinds: [String: Int] = [:]

    init(_ name: String, seed: UInt64) {
        self.name = name
        self.seed = seed
    }

    /// Whether the campaign has found enough violations and should stop.
    var isFull: Bool { violationCount >= Self.violationCountMax }

    /// Reports a violation. `replay` is the command that reproduces it. Prints only the first two
    /// violations of each kind, where messages that differ only in numbers are of the same kind.
    mutating func violation(_ what: String, replay: String) {
        violationCount += 1
        let kind = String(what.split(separator: "\n").dropFirst().first ?? "").filter {
            !$0.isNumber
        }
        kinds[kind, default: 0] += 1
        guard kinds[kind, default: 0] <= 2 else { return }
        say("\(name): VIOLATION \(violationCount)\n  " + what.replacing("\n", with: "\n  "))
        say("  replay: daybook-fault \(replay)")
    }

    /// Prints a progress line.
    func note(_ text: String) { say("\(name): \(text)") }

    /// Prints the summary line. Returns whether no violation was found.
    func finish(_ counts: String) -> Bool {
        let seconds = Date().timeIntervalSince(began)
        let time = String((seconds * 10).rounded() / 10)
        say("\(name): seed \(seed), \(counts), \(violationCount) violations, \(time) s")
        return violationCount == 0
    }

    private func say(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }
}

/// A violated guarantee.
struct Violation: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
