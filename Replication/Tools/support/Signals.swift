import Dispatch
import Foundation
import Synchronization

/// The signals with which a user or a supervisor ends the process.
package final class Signals: Sendable {
    private struct State {
        var isRaised = false
        var waiter: CheckedContinuation<Void, Never>?
        var sources: [Source] = []
    }

    /// A running source.
    // SENDABLE: after the initialization it is only released.
    private final class Source: @unchecked Sendable {
        let source: any DispatchSourceSignal
        init(_ source: any DispatchSourceSignal) { self.source = source }
        deinit { source.cancel() }
    }

    private let state = Mutex(State())

    package init() {
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [weak self] in self?.raise() }
            source.activate()
            let kept = Source(source)
            state.withLock { $0.sources.append(kept) }
        }
    }

    /// Whether a signal arrived.
    package var isRaised: Bool { state.withLock { $0.isRaised } }

    /// Waits for a time, or until a signal arrives.
    package func wait(seconds: Double) async {
        let timer = Task {
            try? await Task.sleep(for: .seconds(seconds))
            wake()
        }
        defer { timer.cancel() }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.isRaised { return true }
                state.waiter = continuation
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    private func raise() {
        state.withLock { $0.isRaised = true }
        wake()
    }

    private func wake() {
        state.withLock { state in
            defer { state.waiter = nil }
            return state.waiter
        }?.resume()
    }
}
