import DaybookBytes
import DaybookEngine
import DaybookTesting
import Foundation

/// A named consumer in the process that is killed. It continues at the position of its predecessor,
/// prints each received commit for the parent, and acknowledges from time to time.
///
/// Its output lines: `P` and the start position; `D`, a sequence, and the thread and number of the
/// transaction if a writer committed it; `S`, a sequence and the last number of each thread in the
/// whole state, if the history was dropped; `K` and the acknowledged position.
struct WriterConsumer {
    private static let name = "auditor"

    private let store: FaultStore
    private let consumers: ConsumerStore
    private let say: (String) -> Void
    private let lock: any FileLock
    private var random: SeededGenerator
    private var place: UInt64
    /// The marks of an incomplete state received so far.
    private var marks: [[UInt64: Int]] = []

    /// Takes the consumer's lock, which the system released when the previous process died.
    init(_ store: FaultStore, seed: UInt64, say: @escaping (String) -> Void) throws {
        self.store = store
        self.say = say
        consumers = ConsumerStore(store.engine)
        lock = try consumers.lock(Self.name)
        random = SeededGenerator(seed: seed)
        place = try consumers.position(of: Self.name)?.sequence ?? 0
        say("P \(place)")
    }

    /// Follows the log forever. With `isLate`, starts after a compaction has dropped its position.
    mutating func run(isLate: Bool) throws {
        while isLate, try !isOvertaken() { Thread.sleep(forTimeInterval: 0.001) }
        while true {
            do {
                var reader = try ChangeReader(store.engine, after: place)
                try follow(&reader)
            } catch DaybookError.Code.historyTruncated {
                try followState()
            }
        }
    }

    /// Starts with the whole state. Returns if a compaction also drops the position of that state.
    private mutating func followState() throws {
        do {
            marks = WriterState.noMarks
            var reader = try ChangeReader(store.engine, withStateInsteadOf: place)
            try follow(&reader)
        } catch DaybookError.Code.historyTruncated {
            return
        }
    }

    private func isOvertaken() throws -> Bool {
        do {
            _ = try ChangeReader(store.engine, after: place)
            return false
        } catch DaybookError.Code.historyTruncated {
            return true
        }
    }

    private mutating func follow(_ reader: inout ChangeReader) throws {
        while true {
            let pause = random.next() % 40
            if pause < 3 { Thread.sleep(forTimeInterval: Double(pause) / 1_000) }
            guard let commit = try reader.next() else {
                Thread.sleep(forTimeInterval: 0.0005)
                continue
            }
            try take(commit)
            guard commit.resumeSequence > place else { continue }
            place = commit.resumeSequence
            if commit.isState || random.next().isMultiple(of: 5) {
                let engine = store.engine
                try consumers.write(
                    ChangePosition(store: engine.position.store, sequence: place), of: Self.name)
                say("K \(place)")
            }
        }
    }

    private mutating func take(_ commit: CommitChanges) throws {
        let found = try commit.objects.compactMap { object in
            try object.kind == .remove ? nil : object.after.flatMap { try store.mark(of: $0) }
        }.map { try WriterState.origin(of: $0) }
        if commit.isState {
            for mark in found { marks[Int(mark.thread)][mark.number, default: 0] += 1 }
            guard commit.resumeSequence == commit.sequence else { return }
            let last = try WriterState.lastNumbers(marks)
            say("S \(commit.sequence) " + last.map(String.init).joined(separator: " "))
        } else if let first = found.first {
            guard found.count == 2, found[1] == (first.thread, first.number, 1), first.part == 0
            else { throw Violation("commit \(commit.sequence) was delivered as \(found)") }
            say("D \(commit.sequence) \(first.thread) \(first.number)")
        } else {
            say("D \(commit.sequence)")
        }
    }
}
