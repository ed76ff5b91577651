package import DaybookBytes
import DaybookLog
package import DaybookRecords

extension Engine {
    /// Returns the layouts with the commits that created them, in the order of the log. A layout
    /// that a compaction moved belongs to the commit that contains it now.
    ///
    /// Cost: one pass over the log. Throws `.corruption`, `.interrupted`, `.closed`.
    package func layoutCommits(
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> [(layout: EntityLayout, commit: CommitRecord)] {
        try requireOpen()
        var transactions = LogTransactions(
            LogFrames(try log.scan(from: nil), until: readableSequence), CreatedLayouts())
        var found: [(layout: EntityLayout, commit: CommitRecord)] = []
        while let transaction = try transactions.next(control) {
            found += transaction.contents.layouts.map { ($0, transaction.commit) }
        }
        return found
    }
}

/// The layouts that a transaction creates.
private struct CreatedLayouts: TransactionContents {
    private(set) var layouts: [EntityLayout] = []

    mutating func add(
        _ record: Record, of frame: borrowing LogScanner.Frame
    ) throws(DaybookError) {
        guard record.kind == .schema else { return }
        layouts.append(
            try EntityLayout(decoding: frame.payload.span.extracting(record.body)))
    }

    func emptied() -> CreatedLayouts { CreatedLayouts() }
}
