import DaybookBytes
import DaybookEngine
import DaybookTesting
import Foundation
import Synchronization

/// The process that is killed. Several threads write to a store and report each commit to the
/// parent when it has returned; snapshots and compactions run concurrently.
///
/// Thread `t` writes transactions 1, 2, 3 …. Transaction `n` puts two marks that contain (t, n),
/// and a note that owns both and has the note of (t, n - 1) in its list, twice. It removes the note
/// of (t, n - window), which also removes that note's marks and its positions in the list of the
/// next note. The content of the store therefore shows by itself whether it is complete. A
/// ``WriterConsumer`` follows the log concurrently.
enum WriterProcess {
    static let threadCount: UInt64 = 4
    /// The number of transactions of a thread whose objects exist at the same time.
    static let window: UInt64 = 6

    static func options() -> EngineOptions {
        var options = FaultStore.options()
        // Pages are evicted after each snapshot.
        options.indexBudgetBytes = 1
        options.log.segmentSizeBytes = 48 << 10
        options.log.preallocationStepBytes = 16 << 10
        options.snapshotIntervalBytes = 96 << 10
        // The training for each of these small segments would take longer than their writing.
        options.dictionarySampleBytes = 0
        options.isMaintenanceAutomatic = true
        return options
    }

    /// Writes until the process is killed. Returns an exit code only if an operation fails.
    static func run(_ arguments: FaultArguments) -> Int32 {
        guard let directory = arguments.directory else { return 2 }
        do {
            let store = try FaultStore(RealFileSystem(), path: directory, options())
            let found = try WriterState(store)
            for thread in 0..<threadCount {
                let state = found.threads[Int(thread)]
                Thread.detachNewThread { failing { try write(thread, state, store) } }
            }
            let isLate = arguments.isLate
            let seed = arguments.seed
            Thread.detachNewThread {
                failing {
                    var consumer = try WriterConsumer(store, seed: seed, say: say)
                    try consumer.run(isLate: isLate)
                }
            }
            failing { try maintain(store, seed: arguments.seed) }
        } catch {
            say("E \(error)")
        }
        return 1
    }

    private static func write(
        _ thread: UInt64, _ begun: WriterState.Thread, _ store: FaultStore
    ) throws {
        var state = begun
        while true {
            let number = state.last + 1
            let note = try store.engine.write { transaction in
                if let old = state.notes[number &- window] {
                    try store.remove(.note, old, in: transaction)
                }
                let note = try store.put(
                    .note, 0, length: 20, seed: thread << 48 ^ number, in: transaction
                ).id
                for part in 0..<UInt64(2) {
                    let mark = try store.put(
                        WriterState.content(thread, number, part), in: transaction)
                    try store.link(.owned, note, mark, isNew: true, in: transaction)
                }
                if let before = state.notes[number - 1] {
                    try store.setList(
                        .sequels, note, [(before, nil), (before, nil)], in: transaction)
                }
                return note
            }
            say("A \(thread) \(number)")
            state.last = number
            state.notes[number] = note
            state.notes[number &- window] = nil
        }
    }

    /// Writes snapshots and compacts in a loop.
    private static func maintain(_ store: FaultStore, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        while true {
            Thread.sleep(forTimeInterval: Double(random.next() % 12) / 1_000)
            switch random.next() % 3 {
            case 0: try store.engine.writeSnapshot()
            case 1: _ = try store.engine.compact(.all)
            default: try store.dropHistory()
            }
        }
    }

    private static func failing(_ body: () throws -> Void) {
        do { try body() } catch {
            say("E \(error)")
            exit(1)
        }
    }

    private static let output = Mutex(())

    /// Prints a line with one system call. Output that the operating system has accepted survives
    /// the kill.
    private static func say(_ line: String) {
        output.withLock { _ in FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
    }
}
