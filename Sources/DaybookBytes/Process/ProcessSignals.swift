internal import Dispatch
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Requests to end, from a keyboard or another process, turned into a flag that long operations
/// ask for.
package final class ProcessSignals: Sendable {
    /// The status of a process that was asked to end and did.
    package static let interruptedStatus: Int32 = 130

    private let wasRaised = Atomic<Bool>(false)
    private let isPolled = Atomic<Bool>(false)
    private let sources = Mutex<[SourceBox]>([])
    /// Wakes whoever waits.
    private let raised = DispatchSemaphore(value: 0)

    /// Watches SIGINT and SIGTERM from now on. They end the process at once until somebody polls
    /// ``isRaised``; from then on only a second one does, from somebody who will not wait.
    package init() {
        for number in [SIGINT, SIGTERM] {
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [weak self] in
                guard let self else { return }
                let isSecond = wasRaised.exchange(true, ordering: .relaxed)
                raised.signal()
                if isSecond || !isPolled.load(ordering: .relaxed) { _exit(Self.interruptedStatus) }
            }
            let isWatching = DispatchSemaphore(value: 0)
            source.setRegistrationHandler { isWatching.signal() }
            sources.withLock { $0.append(SourceBox(source)) }
            source.activate()
            // A signal that came while it is ignored and nobody watches yet would be lost: until
            // then it ends the process, which has not begun anything.
            isWatching.wait()
            #if canImport(Darwin)
            // Elsewhere the source itself takes the place of what the signal does by default.
            ignoreSignal(number)
            #endif
        }
    }

    /// Whether the process was asked to end. Costs a load and a store.
    package var isRaised: Bool {
        isPolled.store(true, ordering: .relaxed)
        return wasRaised.load(ordering: .relaxed)
    }

    /// Waits that long, or until the process is asked to end.
    package func wait(milliseconds: Int) {
        guard !isRaised else { return }
        _ = raised.wait(timeout: .now() + .milliseconds(milliseconds))
    }

    /// A write that nobody reads fails from now on, instead of ending the process.
    package static func ignoreBrokenPipes() { ignoreSignal(SIGPIPE) }
}

private func ignoreSignal(_ number: Int32) {
    _ = signal(number, SIG_IGN)
}

/// A running signal source, stopped when it is let go.
// SENDABLE: the source is set up before it comes here, and only cancelled afterwards, which
// Dispatch allows from any thread.
private final class SourceBox: @unchecked Sendable {
    private let source: any DispatchSourceSignal

    init(_ source: any DispatchSourceSignal) { self.source = source }
    deinit { source.cancel() }
}
