@testable import DaybookEngine
import DaybookBytes
import DaybookTestSupport
import Dispatch
import Synchronization
import Testing

@Suite struct CommitSignalTests {
    @Test func `a later commit wakes a waiting task, and an earlier one does not`() async {
        let signal = CommitSignal()
        signal.advance(to: 3)
        await signal.wait(after: 2)
        #expect(signal.sequence == 3)
        let waiting = Task {
            await signal.wait(after: 4)
            return signal.sequence
        }
        signal.advance(to: 4)
        signal.advance(to: 2)
        #expect(signal.sequence == 4)
        signal.advance(to: 9)
        #expect(await waiting.value == 9)
    }

    @Test func `the end wakes all waiting tasks`() async {
        let signal = CommitSignal()
        let ends = Mutex(0)
        _ = signal.add { _ in if signal.isEnded { ends.withLock { $0 += 1 } } }
        let waiting = (0..<10).map { number in
            Task { await signal.wait(after: UInt64(number)) }
        }
        signal.end()
        signal.end()
        for task in waiting { await task.value }
        await signal.wait(after: 100)
        #expect(ends.withLock { $0 } == 1)
    }

    @Test func `a cancelled task stops waiting`() async {
        let signal = CommitSignal()
        for _ in 0..<200 {
            let waiting = Task { await signal.wait(after: 0) }
            waiting.cancel()
            await waiting.value
        }
        let waiting = Task { await signal.wait(after: 0) }
        for _ in 0..<10 { await Task.yield() }
        waiting.cancel()
        await waiting.value
        #expect(signal.sequence == 0 && !signal.isEnded)
    }

    @Test func `a listener is called for each new sequence until it is removed`() {
        let signal = CommitSignal()
        let signalled = Mutex<[UInt64]>([])
        let number = signal.add { sequence in signalled.withLock { $0.append(sequence) } }
        signal.advance(to: 1)
        signal.advance(to: 1)
        signal.advance(to: 5)
        signal.remove(number)
        signal.advance(to: 6)
        #expect(signalled.withLock { $0 } == [1, 5])
    }

    @Test func `the deinit of an object that a listener retains may use the signal`() {
        final class Held: Sendable {
            let signal: CommitSignal
            let isCalled: DispatchSemaphore
            init(_ signal: CommitSignal, _ isCalled: DispatchSemaphore) {
                self.signal = signal
                self.isCalled = isCalled
            }
            deinit {
                _ = signal.sequence
                isCalled.signal()
            }
        }
        for ends in [false, true] {
            let signal = CommitSignal()
            let isCalled = DispatchSemaphore(value: 0)
            func listen() -> Int {
                let held = Held(signal, isCalled)
                return signal.add { _ in withExtendedLifetime(held) {} }
            }
            let number = listen()
            DispatchQueue(label: "ender").async {
                if ends { signal.end() } else { signal.remove(number) }
            }
            // The call succeeds immediately. Under the lock it would never return.
            #expect(isCalled.wait(timeout: .now() + .seconds(20)) == .success)
        }
    }

    @Test func `a commit is signalled before its write returns`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        try onThreads(4) { thread in
            for number in 0..<50 {
                let sequence = try notes.engine.write { transaction in
                    try notes.put("\(thread) \(number)", in: transaction)
                    return notes.engine.log.lastSequence + 1
                }
                #expect(notes.engine.commitSignal.sequence >= sequence)
                #expect(try notes.engine.visibleSequence >= sequence)
            }
        }
        try notes.closeProven()
        #expect(notes.engine.commitSignal.isEnded)
    }
}
