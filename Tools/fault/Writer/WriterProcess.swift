import DaybookBytes
import DaybookEngine
import DaybookTesting
import Foundation
import Synchronization

/// The process that is killed: several threads write to a store, each commit is told to the parent
/// when it has returned, and snapshots and compactions run beside them.
///
/// Thread `t` writes transactions 1, 2, 3 …; the `n`-th puts two marks that say (t, n), and a note
/// that owns both and has the note of (t, n - 1) in its list, twice; and it removes the note of
/// (t, n - window), and with it its marks, and its places in the list of the next one. So whatever
/// is found later tells by itself whether it is whole. A ``WriterConsumer`` follows beside them.
enum WriterProcess {
    static let threadCount: UInt64 = 4
    /// How many transactions' objects of a thread live at once.
    static let window: UInt64 = 6

    static func options() -> EngineOptions {
        var options = FaultStore.options()
        options.log.segmentSizeBytes = 48 << 10
        options.log.preallocationStepBytes = 16 << 10
        options.snapshotIntervalBytes = 96 << 10
        options.isMaintenanceAutomatic = true
        return options
    }

    /// Writes until the process is killed. Returns an exit code only where something fails.
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

    /// Everything that runs beside the writers, over and over.
    private static func maintain(_ store: FaultStore, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        while true {
            Thread.sleep(forTimeInterval: Double(random.next() % 12) / 1_000)
            switch random.next() % 3 {
            case 0: try store.engine.writeSnapshot()
            case 1: _ = try store.engine.compact(.all)
            default: _ = try store.engine.compact(.latest)
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

    /// One call for a line: what the operating system has taken survives the kill.
    private static func say(_ line: String) {
        output.withLock { _ in FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
    }
}
