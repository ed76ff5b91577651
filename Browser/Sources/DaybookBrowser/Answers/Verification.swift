import Daybook
import Synchronization

/// The verification of the store, of which at most one runs at a time.
final class Verification: Sendable {
    private struct State {
        var description = VerificationDescription(state: "none", progress: 0, lines: [])
        var isCancelled = false
    }

    /// The most findings that are shown.
    private static let linesMax = 200
    private let store: Store
    private let state = Mutex(State())

    init(_ store: Store) { self.store = store }

    /// The progress, or the result of the last verification.
    var description: VerificationDescription { state.withLock { $0.description } }

    /// Starts a verification, unless one is running.
    func start() {
        let isStarted = state.withLock { state in
            guard state.description.state != "running" else { return false }
            state.description = VerificationDescription(state: "running", progress: 0, lines: [])
            return true
        }
        guard isStarted else { return }
        Task { await run() }
    }

    /// Ends a running verification soon.
    func cancel() { state.withLock { $0.isCancelled = true } }

    private func run() async {
        let result: VerificationDescription
        do {
            let report = try await store.verify(
                progress: { done in self.state.withLock { $0.description.progress = done } },
                isCancelled: { self.state.withLock { $0.isCancelled } })
            result = VerificationDescription(report, linesMax: Self.linesMax)
        } catch {
            result = VerificationDescription(
                state: "failed", progress: 1, lines: [RequestProblem(error).problem.message])
        }
        state.withLock { $0.description = result }
    }
}

extension VerificationDescription {
    init(_ report: VerificationReport, linesMax: Int) {
        let isSound = report.severity.map { $0 <= .note } ?? true
        let summary =
            "Checked \(report.segmentCount) segments, \(report.frameCount) frames,"
            + " \(report.transactionCount) transactions, \(report.objectCount) objects and"
            + " \(report.snapshotCount) snapshots up to commit \(report.sequence)."
        self.init(
            state: isSound ? "sound" : "damaged", progress: 1,
            lines: [summary]
                + report.findings.prefix(linesMax)
                .map { "\($0.severity.rawValue): \($0.subject): \($0.message)" })
    }
}
