import DaybookBytes
@testable import DaybookEngine
import DaybookTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct SyncOrderTests {
    // The operating system reports a failed sync once. A concurrent sync of the same segment by a
    // roll returned success, so lost commits counted as durable.
    @Test func `a roll does not sync concurrently with a failing sync`() throws {
        let broken = LateFailure()
        let base = MemoryFileSystem()
        let notes = try NoteStore(LateFailureFileSystem(base: base, failure: broken)) {
            $0.log.segmentSizeBytes = 2 << 10
            $0.log.preallocationStepBytes = 1 << 10
        }
        try notes.put("first")
        broken.arm()
        let refusedCount = Atomic(0)
        let long = "third " + String(repeating: "x", count: 2_000)
        try onThreads(2) { index in
            // One thread leads the sync that will fail; the other commits into a new segment
            // meanwhile.
            if index == 1 { broken.awaitSync() }
            do {
                try notes.put(index == 0 ? "second" : long)
            } catch DaybookError.Code.durabilityUnknown {
                refusedCount.add(1, ordering: .relaxed)
            }
        }
        #expect(refusedCount.load(ordering: .relaxed) == 2)
        try? notes.engine.close()
    }

    @Test func `names are synced with the call for directories`() throws {
        let names = Atomic(0)
        var calls = SystemCalls.live
        let live = calls.syncNames
        calls.syncNames = { descriptor in
            names.add(1, ordering: .relaxed)
            return live(descriptor)
        }
        calls.syncFile = { _ in -5 }
        let directory = TemporaryDirectory()
        let fileSystem = RealFileSystem(calls: calls)
        try fileSystem.createDirectory(directory.path)
        let before = names.load(ordering: .relaxed)
        // The name of a new directory is made durable too.
        #expect(before == 1)
        try fileSystem.syncDirectory(directory.path)
        #expect(names.load(ordering: .relaxed) == before + 1)
    }
}

/// A gate where the first sync after ``arm()`` waits and then fails, and all others succeed
/// immediately.
private final class LateFailure: Sendable {
    private struct State {
        var isArmed = false
        var isWaiting = false
        var isReleased = false
    }

    private let state = Mutex(State())

    func arm() { state.withLock { $0.isArmed = true } }
    func release() { state.withLock { $0.isReleased = true } }

    /// Blocks until the failing sync has begun. That sync fails a little later by itself, because a
    /// correct roll waits for it.
    func awaitSync() {
        while !state.withLock({ $0.isWaiting }) { Thread.sleep(forTimeInterval: 0.001) }
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.1)
            self.release()
        }
    }

    func pass() throws(DaybookError) {
        let isChosen = state.withLock { state in
            guard state.isArmed, !state.isWaiting else { return false }
            state.isWaiting = true
            return true
        }
        guard isChosen else { return }
        while !state.withLock({ $0.isReleased }) { Thread.sleep(forTimeInterval: 0.001) }
        throw DaybookError(.inputOutput, "The disk does not answer.", details: ["errno": "5"])
    }
}

private struct LateFailureFileSystem: ForwardingFileSystem {
    let base: any FileSystem
    let failure: LateFailure

    func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        LateFailureFile(base: try base.open(path, mode), failure: failure)
    }
}

private final class LateFailureFile: ForwardingFile {
    let base: any File
    private let failure: LateFailure

    init(base: any File, failure: LateFailure) {
        self.base = base
        self.failure = failure
    }

    func sync() throws(DaybookError) {
        try failure.pass()
        try base.sync()
    }
}
