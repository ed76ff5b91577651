import DaybookBytes
import DaybookEngine
import Foundation
import Synchronization

/// The process that is killed: several threads write to a store, each commit is told to the parent
/// when it has returned, and snapshots and compactions run beside them.
///
/// Thread `t` writes transactions 1, 2, 3 …; the `n`-th puts two objects that say (t, n) and
/// removes the two of (t, n - window). So whatever is found later tells by itself whether it is
/// whole.
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
            let ids = try store.engine.write { transaction in
                for id in state.ids[number &- window] ?? [] {
                    try store.remove(.mark, id, in: transaction)
                }
                return try (0..<2).map { part in
                    try store.put(
                        WriterState.content(thread, number, part), in: transaction)
                }
            }
            say("A \(thread) \(number)")
            state.last = number
            state.ids[number] = ids
            state.ids[number &- window] = nil
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
