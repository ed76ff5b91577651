import DaybookEngine
import Foundation
import Synchronization
import Testing

/// Reading commands concurrent with a writer that commits, rolls and compacts as fast as it can.
@Suite struct BesideWriterTests {
    @Test func `reading commands give correct results at any moment of a writer`() throws {
        let store = try SampleStore {
            $0.log.segmentSizeBytes = 16 << 10
            $0.isMaintenanceAutomatic = true
            $0.snapshotIntervalBytes = 64 << 10
        }
        for index in 0..<50 { try store.put("Person \(index)") }
        let isOver = Atomic<Bool>(false)
        let failure = Mutex<String?>(nil)
        let writer = Writer(store: store)
        DispatchQueue.global().async {
            writer.run(until: { isOver.load(ordering: .relaxed) }) { text in
                failure.withLock { $0 = text }
            }
        }
        for round in 0..<3 {
            for arguments in [
                ["verify", store.path], ["replay", store.path, "--check"], ["replay", store.path],
                ["replay", store.path, "--into", store.sibling("copy-\(round)")],
                ["stats", store.path],
            ] {
                let outcome = try CommandProcess(arguments).finish()
                let found = outcome.lines.filter { $0.contains("\"finding\":\"") }
                #expect(outcome.status == 0, "\(arguments): \(outcome.errors) \(found)")
                #expect(outcome.errors == "")
            }
        }
        isOver.store(true, ordering: .relaxed)
        writer.finished.wait()
        #expect(failure.withLock { $0 } == nil)
        try store.close()
        #expect(try CommandProcess.run("verify", store.path).status == 0)
    }

    /// Puts and replaces persons on its own thread.
    // SENDABLE: the test hands the store to one thread and waits for its end before it uses the
    // store again.
    private final class Writer: @unchecked Sendable {
        private let store: SampleStore
        let finished = DispatchSemaphore(value: 0)

        init(store: SampleStore) { self.store = store }

        func run(until isOver: () -> Bool, _ failed: (String) -> Void) {
            defer { finished.signal() }
            var index: UInt64 = 0
            while !isOver() {
                index += 1
                // Without pauses, the store would grow faster than the commands can read it.
                if index % 20 == 0 { Thread.sleep(forTimeInterval: 0.01) }
                do {
                    try store.put("Person \(index) again", id: index % 50 + 1)
                    if index % 40 == 0 { try store.put("Person \(index) for the first time") }
                } catch {
                    return failed("\(error)")
                }
            }
        }
    }
}
