import DaybookBytes
import DaybookEngine
import DaybookTesting

/// The objects of the writers, read from a store. Throws a ``Violation`` if a transaction is
/// incomplete, or missing between others.
struct WriterState {
    struct Thread: Sendable {
        /// The last transaction in the store.
        var last: UInt64 = 0
        /// The note of each transaction that has one.
        var notes: [UInt64: UInt64] = [:]
        /// The marks of each transaction.
        fileprivate var marks: [UInt64: [UInt64]] = [:]
    }

    private(set) var threads = (0..<WriterProcess.threadCount).map { _ in Thread() }

    init(_ store: FaultStore) throws {
        for (id, row) in try store.marks() {
            let (thread, number, _) = try Self.origin(of: row)
            threads[Int(thread)].marks[number, default: []].append(id)
        }
        let last = try Self.lastNumbers(threads.map { $0.marks.mapValues(\.count) })
        for (number, thread) in threads.enumerated() {
            threads[number].last = last[number]
            threads[number].notes = try Self.notes(of: thread.marks, in: store)
        }
        let count = threads.reduce(0) { $0 + $1.notes.count }
        guard try store.count(.note) == count else {
            throw Violation("there are notes without their marks")
        }
    }

    /// Returns the notes that own the marks of each transaction. Throws if their relations differ
    /// from the written ones.
    private static func notes(
        of marks: [UInt64: [UInt64]], in store: FaultStore
    ) throws -> [UInt64: UInt64] {
        var notes: [UInt64: UInt64] = [:]
        for (number, marks) in marks {
            let owners = try marks.map { try store.sources(.owned, of: $0) }
            guard let note = owners[0].first, owners == [[note], [note]],
                try store.targets(.owned, of: note) == marks.sorted()
            else { throw Violation("the marks \(marks) are owned by \(owners)") }
            notes[number] = note
        }
        for (number, note) in notes {
            let found = try store.targets(.sequels, of: note)
            let wanted = notes[number - 1].map { [$0, $0] } ?? []
            guard found == wanted else {
                throw Violation("the list of note \(note) is \(found), and not \(wanted)")
            }
        }
        return notes
    }

    /// Returns the bytes of one object, of varying length.
    static func content(_ thread: UInt64, _ number: UInt64, _ part: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: thread << 48 ^ number << 8 ^ part)
        var writer = ByteWriter()
        writer.uint64(thread)
        writer.uint64(number)
        writer.uint64(part)
        for _ in 0..<(random.next() % 40) { writer.uint64(random.next()) }
        return writer.bytes
    }

    /// Empty mark counts of all threads.
    static var noMarks: [[UInt64: Int]] {
        (0..<WriterProcess.threadCount).map { _ in [:] }
    }

    /// Returns the last transaction of each thread from the number of marks per transaction. Throws
    /// if they are not exactly the marks of its last transactions.
    static func lastNumbers(_ marks: [[UInt64: Int]]) throws -> [UInt64] {
        try marks.enumerated().map { thread, counts in
            let last = counts.keys.max() ?? 0
            let first = last >= WriterProcess.window ? last - WriterProcess.window + 1 : 1
            guard Set(counts.keys) == (last == 0 ? [] : Set(first...last)) else {
                throw Violation(
                    "thread \(thread) ended with \(last), and there is \(counts.keys.sorted())")
            }
            if let torn = counts.first(where: { $0.value != 2 }) {
                throw Violation("transaction \(torn.key) of thread \(thread) is there in part")
            }
            return last
        }
    }

    /// Returns the writer of an object. Throws if the bytes differ from the bytes that the thread
    /// wrote.
    static func origin(
        of row: [UInt8]
    ) throws -> (thread: UInt64, number: UInt64, part: UInt64) {
        var reader = ByteReader(row.span)
        let (thread, number, part) = (
            try reader.uint64(), try reader.uint64(), try reader.uint64()
        )
        guard thread < WriterProcess.threadCount else {
            throw Violation("an object names thread \(thread)")
        }
        guard row == content(thread, number, part) else {
            throw Violation(
                "part \(part) of transaction \(number) is not what thread \(thread) wrote")
        }
        return (thread, number, part)
    }

    /// Compares the store with the output of the dead process. The last transaction of each thread
    /// is the last acknowledged one or a later one, at most one after `issued`, whose commit the
    /// process could not report. `issued` also includes output after the failure.
    func check(against acknowledged: [UInt64], issued: [UInt64]) throws {
        for (number, thread) in threads.enumerated() {
            guard (acknowledged[number]...(issued[number] + 1)).contains(thread.last) else {
                throw Violation(
                    "thread \(number) acknowledged \(acknowledged[number]), found \(thread.last)")
            }
        }
    }
}
