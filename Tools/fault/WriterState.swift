import DaybookBytes
import DaybookEngine

/// What the writers' objects say, read from a store; throws a ``Violation`` where a transaction is
/// there in part, or one is missing among others.
struct WriterState {
    struct Thread: Sendable {
        /// The last transaction that is there.
        var last: UInt64 = 0
        /// The objects of each transaction that has some.
        var ids: [UInt64: [UInt64]] = [:]
    }

    private(set) var threads = (0..<WriterProcess.threadCount).map { _ in Thread() }

    init(_ store: FaultStore) throws {
        for (id, row) in try store.marks() {
            let (thread, number, part) = try Self.parse(row, id)
            guard row == Self.content(thread, number, part) else {
                throw Violation("object \(id) is not what thread \(thread) wrote")
            }
            threads[Int(thread)].ids[number, default: []].append(id)
            threads[Int(thread)].last = max(threads[Int(thread)].last, number)
        }
        for (number, thread) in threads.enumerated() {
            let first =
                thread.last >= WriterProcess.window ? thread.last - WriterProcess.window + 1 : 1
            let wanted = thread.last == 0 ? [] : Set(first...thread.last)
            guard Set(thread.ids.keys) == wanted else {
                throw Violation(
                    "thread \(number) ended with \(thread.last), and there is"
                        + " \(thread.ids.keys.sorted())")
            }
            if let torn = thread.ids.first(where: { $0.value.count != 2 }) {
                throw Violation("transaction \(torn.key) of thread \(number) is there in part")
            }
        }
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
