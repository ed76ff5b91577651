import Synchronization

/// The progress of a long request, which its work reports and its answer reads.
final class WorkMeter: Sendable {
    private let start = ContinuousClock.now
    private let state = Mutex(WorkProgress(fraction: nil, done: 0, seconds: 0))

    /// Notes the progress of work whose end is unknown.
    func report(done: Int) { state.withLock { $0.done = done } }

    /// Notes fractions of the progress through `total` bytes.
    func reporting(of total: Int) -> @Sendable (Double) -> Void {
        { fraction in
            self.state.withLock { state in
                state.fraction = fraction
                state.done = Int(fraction * Double(total))
            }
        }
    }

    /// The progress now.
    var progress: WorkProgress {
        var progress = state.withLock { $0 }
        progress.seconds = (ContinuousClock.now - start) / .seconds(1)
        return progress
    }
}
