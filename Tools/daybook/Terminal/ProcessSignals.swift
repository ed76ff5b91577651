import Dispatch
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Converts SIGINT and SIGTERM into a flag that long operations poll.
final class ProcessSignals: Sendable {
    /// The exit status of a process that ended on request.
    static let interruptedStatus: Int32 = 130

    private let wasRaised = Atomic<Bool>(false)
    private let isPolled = Atomic<Bool>(false)
    private let sources = Mutex<[SourceBox]>([])
    /// Wakes ``wait(milliseconds:)``.
    private let raised = DispatchSemaphore(value: 0)

    /// Watches SIGINT and SIGTERM. A signal ends the process at once until the first poll of
    /// ``isRaised``. After that, the first signal raises the flag, and a second signal ends the
    /// process.
    init() {
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
            // A signal that is ignored before the source watches it would be lost. Until the
            // source watches, a signal ends the process, which has not begun any work.
            isWatching.wait()
            #if canImport(Darwin)
            // On other systems the source replaces the default action of the signal.
            ignoreSignal(number)
            #endif
        }
    }

    /// Whether a signal arrived. Costs a load and a store.
    var isRaised: Bool {
        isPolled.store(true, ordering: .relaxed)
        return wasRaised.load(ordering: .relaxed)
    }

    /// Waits for the given time, or until the flag is raised.
    func wait(milliseconds: Int) {
        guard !isRaised else { return }
        _ = raised.wait(timeout: .now() + .milliseconds(milliseconds))
    }

    /// Makes a write to a closed pipe fail instead of ending the process.
    static func ignoreBrokenPipes() { ignoreSignal(SIGPIPE) }
}

private func ignoreSignal(_ number: Int32) {
    _ = signal(number, SIG_IGN)
}

/// A running signal source, cancelled on deinit.
// SENDABLE: the source is set up before init and only cancelled afterwards. Dispatch allows that
// from any thread.
private final class SourceBox: @unchecked Sendable {
    private let source: any DispatchSourceSignal

    init(_ source: any DispatchSourceSignal) { self.source = source }
    deinit { source.cancel() }
}
