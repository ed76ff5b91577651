import DaybookBytes
import DaybookEngine

/// What the writers' objects say, read from a store; throws a ``Violation`` where a transaction is
/// there in part, or one is missing among others.
struct WriterState {
    struct Thread: Sendable {
        /// The last transaction that is there.
        var last: UInt64 = 0
        /// The note of each transaction that has one.
        var notes: [UInt64: UInt64] = [:]
        /// The marks of each.
        fileprivate var marks: [UInt64: [UInt64]] = [:]
    }

    private(set) var threads = (0..<WriterProcess.threadCount).map { _ in Thread() }

    init(_ store: FaultStore) throws {
        for (id, row) in try store.marks() {
            let (thread, number, part) = try Self.parse(row, id)
            guard row == Self.content(thread, number, part) else {
                throw Violation("object \(id) is not what thread \(thread) wrote")
            }
            threads[Int(thread)].marks[number, default: []].append(id)
            threads[Int(thread)].last = max(threads[Int(thread)].last, number)
        }
        for (number, thread) in threads.enumerated() {
            let first =
                thread.last >= WriterProcess.window ? thread.last - WriterProcess.window + 1 : 1
            let wanted = thread.last == 0 ? [] : Set(first...thread.last)
            guard Set(thread.marks.keys) == wanted else {
                throw Violation(
                    "thread \(number) ended with \(thread.last), and there is"
                        + " \(thread.marks.keys.sorted())")
            }
            if let torn = thread.marks.first(where: { $0.value.count != 2 }) {
                throw Violation("transaction \(torn.key) of thread \(number) is there in part")
            }
            threads[number].notes = try Self.notes(of: thread.marks, in: store)
        }
        let count = threads.reduce(0) { $0 + $1.notes.count }
        guard try store.count(.note) == count else {
            throw Violation("there are notes whose marks are gone")
        }
    }

    /// The notes that own the marks of each transaction; throws where they are not related as they
    /// were written.
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

    /// The bytes of one object, of a length that varies.
    static func content(_ thread: UInt64, _ number: UInt64, _ part: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: thread << 48 ^ number << 8 ^ part)
        var writer = ByteWriter()
        writer.uint64(thread)
        writer.uint64(number)
        writer.uint64(part)
        for _ in 0..<(random.next() % 40) { writer.uint64(random.next()) }
        return writer.bytes
    }

    private static func parse(
        _ row: [UInt8], _ id: UInt64
    ) throws -> (thread: UInt64, number: UInt64, part: UInt64) {
        var reader = ByteReader(row.span)
        let (thread, number, part) = (
            try reader.uint64(), try reader.uint64(), try reader.uint64()
        )
        guard thread < WriterProcess.threadCount else {
            throw Violation("object \(id) names thread \(thread)")
        }
        return (thread, number, part)
    }

    /// Holds what is there against what the dead process said: for each thread its last word, or
    /// the one transaction after it, of whose end it could not tell any more. `issued` are its
    /// words after the disaster, which bind nobody.
    func check(against acknowledged: [UInt64], issued: [UInt64]) throws {
        for (number, thread) in threads.enumerated() {
            guard (acknowledged[number]...(issued[number] + 1)).contains(thread.last) else {
                throw Violation(
                    "thread \(number) told of \(acknowledged[number]), and \(thread.last) is there")
            }
        }
    }
}
