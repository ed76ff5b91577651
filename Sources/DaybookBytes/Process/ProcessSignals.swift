internal import Dispatch
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Turns SIGINT and SIGTERM into a flag that long operations poll.
package final class ProcessSignals: Sendable {
    /// The exit status of an interrupted process.
    package static let interruptedStatus: Int32 = 130

    private let wasRaised = Atomic<Bool>(false)
    private let isPolled = Atomic<Bool>(false)
    private let sources = Mutex<[SourceBox]>([])
    /// Signalled when a signal arrives; wakes ``wait(milliseconds:)``.
    private let raised = DispatchSemaphore(value: 0)

    /// Watches SIGINT and SIGTERM. Until ``isRaised`` is first polled, a signal ends the process at
    /// once. Afterwards, only a second signal does.
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
            // Wait for the source: a signal that arrives while the default action is ignored and
            // the source is not active would be lost. Until then, a signal ends the process, which
            // has not started any work.
            isWatching.wait()
            #if canImport(Darwin)
            // On other systems, the source itself replaces the default action.
            ignoreSignal(number)
            #endif
        }
    }

    /// Whether a signal arrived. Costs a load and a store.
    package var isRaised: Bool {
        isPolled.store(true, ordering: .relaxed)
        return wasRaised.load(ordering: .relaxed)
    }

    /// Waits for the given time, or until a signal arrives.
    package func wait(milliseconds: Int) {
        guard !isRaised else { return }
        _ = raised.wait(timeout: .now() + .milliseconds(milliseconds))
    }

    /// Makes writes to a closed pipe fail instead of ending the process.
    package static func ignoreBrokenPipes() { ignoreSignal(SIGPIPE) }
}

private func ignoreSignal(_ number: Int32) {
    _ = signal(number, SIG_IGN)
}

/// A signal source that is cancelled in deinit.
// SENDABLE: the source is set up before init and only cancelled afterwards. Dispatch allows that
// from any thread.
private final class SourceBox: @unchecked Sendable {
    private let source: any DispatchSourceSignal

    init(_ source: any DispatchSourceSignal) { self.source = source }
    deinit { source.cancel() }
}
