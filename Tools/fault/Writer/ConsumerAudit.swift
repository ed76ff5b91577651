/// Checks the output of ``WriterConsumer`` over a series of processes. A consumer receives all
/// commits in order and at least once, none missing after its acknowledged position, and the whole
/// state if the history was dropped.
struct ConsumerAudit {
    /// The last acknowledged position in the output.
    private var acknowledged: UInt64 = 0
    /// The last position that any process received.
    private var given: UInt64 = 0
    /// The received transactions by sequence: thread and number.
    private var transactions: [UInt64: [UInt64]] = [:]
    /// The last transaction number of each thread up to ``given``.
    private var last = [UInt64](repeating: 0, count: Int(WriterProcess.threadCount))

    private(set) var deliveryCount = 0
    private(set) var repeatedCount = 0
    private(set) var stateCount = 0

    /// Checks the output of one process. Throws a ``Violation``.
    mutating func read(_ text: String) throws {
        var place: UInt64?
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            let numbers = words.dropFirst().compactMap { UInt64($0) }
            guard let word = words.first, "PDSK".contains(word), let sequence = numbers.first else {
                continue
            }
            switch word {
            case "P":
                guard (acknowledged...max(acknowledged, given)).contains(sequence) else {
                    throw Violation(
                        "a consumer continues after \(sequence): \(acknowledged) was acknowledged,"
                            + " and \(given) received")
                }
                acknowledged = sequence
                place = sequence
            case "D":
                guard let before = place, sequence == before + 1 else {
                    throw Violation("a consumer received \(sequence) after \(place ?? 0)")
                }
                try take(sequence, Array(numbers.dropFirst()))
                place = sequence
            case "S":
                try takeState(sequence, Array(numbers.dropFirst()), after: place ?? 0)
                place = sequence
            default:
                guard sequence == place else {
                    throw Violation("a consumer acknowledged \(sequence) at \(place ?? 0)")
                }
                acknowledged = sequence
                transactions = transactions.filter { $0.key > sequence }
            }
        }
    }

    private mutating func take(_ sequence: UInt64, _ transaction: [UInt64]) throws {
        deliveryCount += 1
        guard sequence > given else {
            repeatedCount += 1
            guard let known = transactions[sequence], known != transaction else { return }
            throw Violation("commit \(sequence) was \(known), and then \(transaction)")
        }
        given = sequence
        transactions[sequence] = transaction
        guard transaction.count == 2 else { return }
        let thread = Int(transaction[0])
        guard transaction[1] == last[thread] + 1 else {
            throw Violation(
                "a consumer received transaction \(transaction[1]) of thread \(thread) after"
                    + " \(last[thread])")
        }
        last[thread] = transaction[1]
    }

    private mutating func takeState(
        _ sequence: UInt64, _ numbers: [UInt64], after place: UInt64
    ) throws {
        stateCount += 1
        guard sequence >= max(place, given), numbers.count == last.count,
            zip(numbers, last).allSatisfy({ $0 >= $1 })
        else {
            throw Violation(
                "a consumer at \(given) with \(last) received the state \(numbers) of \(sequence)")
        }
        given = sequence
        last = numbers
    }
}
