import DaybookBytes
package import DaybookEngine
import DaybookRecords

/// Counts the records written to a log.
package struct RecordCounter {
    private let engine: Engine

    package init(_ engine: Engine) { self.engine = engine }

    /// Returns the number of records that `body` writes, by kind.
    package func records(_ body: () throws -> Void) throws -> [String: Int] {
        let before = try engine.visibleSequence
        try body()
        guard try engine.visibleSequence > before else { return [:] }
        var counts: [String: Int] = [:]
        let range = HistoryRange(from: .sequence(before + 1))
        try engine.forEachTransaction(in: range) { (transaction) throws(DaybookError) in
            for index in 0..<transaction.eventCount {
                counts[transaction[index].kind.rawValue, default: 0] += 1
            }
            return true
        }
        return counts
    }
}
