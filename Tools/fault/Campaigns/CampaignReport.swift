import Foundation

/// What a campaign tried and what it found; printed as it goes, so that a run that is cut short has
/// said all it knew.
struct CampaignReport {
    /// After this many violations a campaign stops: more of the same tell nothing new.
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

    /// Whether enough was found.
    var isFull: Bool { violationCount >= Self.violationCountMax }

    /// A promise was broken. `replay` is the command that shows it again. Of violations that read
    /// alike, numbers aside, two are printed.
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

    /// A line on the way.
    func note(_ text: String) { say("\(name): \(text)") }

    /// The line that sums it up. Returns whether nothing was found.
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

/// A broken promise, in words.
struct Violation: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
