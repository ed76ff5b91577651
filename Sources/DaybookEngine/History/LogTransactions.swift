package import DaybookBytes
package import DaybookLog
package import DaybookRecords

/// The part of a transaction's records that a reader of the log needs.
package protocol TransactionContents {
    /// Adds a record of the transaction; commit records are not passed.
    mutating func add(
        _ record: Record, of frame: borrowing LogScanner.Frame
    ) throws(DaybookError)

    /// Empty contents for the next transaction.
    func emptied() -> Self
}

/// Iterates over the whole transactions of a range, in the order of the log.
///
/// A transaction may span frames, and its commit record comes last. The iterator collects the
/// contents of the transaction until it reaches the commit record. Memory: the contents of the
/// current transaction, and of all that end in the same frame.
package struct LogTransactions<Contents: TransactionContents> {
    /// A transaction and the contents that were collected.
    package struct Transaction {
        package var commit: CommitRecord
        package var contents: Contents
    }

    private var frames: LogFrames
    /// The contents of the transaction whose commit record was not read yet.
    private var contents: Contents
    /// The transactions of the last frame that were not returned yet.
    private var rest: ArraySlice<Transaction> = []
    /// The position after the last frame that ended with a whole transaction: a scan that starts
    /// here misses nothing of the transactions after it.
    private(set) var position: LogPosition?

    /// The transactions that `frames` contains; `empty` is the contents of one without records.
    package init(_ frames: LogFrames, _ empty: Contents) {
        self.frames = frames
        contents = empty
    }

    /// Whether the next transaction was read already.
    var hasBufferedTransactions: Bool { !rest.isEmpty }

    /// The next transaction, or nil after the last one that is complete.
    package mutating func next(
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> Transaction? {
        while true {
            if let transaction = rest.popFirst() { return transaction }
            guard let frame = try frames.next(control) else { return nil }
            rest = try read(frame)[...]
        }
    }

    /// The transactions that end in the next frame, often none; nil after the last frame. `visit`
    /// is called with the frame, and `isCancelled` once for each frame.
    mutating func nextBatch(
        isCancelled: () -> Bool, visit: (LogScanner.Frame) -> Void
    ) throws(DaybookError) -> [Transaction]? {
        guard let frame = try frames.next(isCancelled: isCancelled) else { return nil }
        visit(frame)
        return try read(frame)
    }

    private mutating func read(
        _ frame: LogScanner.Frame
    ) throws(DaybookError) -> [Transaction] {
        var ended: [Transaction] = []
        try frame.forEachRecord { record throws(DaybookError) in
            guard record.kind == .commit else { return try contents.add(record, of: frame) }
            let commit = try CommitRecord(decoding: frame.payload.span.extracting(record.body))
            let following = contents.emptied()
            if frames.contains(commit.sequence) {
                ended.append(Transaction(commit: commit, contents: contents))
            }
            contents = following
        }
        if frame.header.endsTransaction { position = frames.position }
        return ended
    }
}

extension LogTransactions: Sendable where Contents: Sendable {}
extension LogTransactions.Transaction: Sendable where Contents: Sendable {}

/// The contents of a reader that needs only the commit records.
package struct NoContents: TransactionContents {
    package init() {}
    package func add(_ record: Record, of frame: borrowing LogScanner.Frame) {}
    package func emptied() -> NoContents { self }
}

/// The records that a predicate accepts. They retain the payloads of their frames; a frame without
/// accepted records is released.
package struct AcceptedRecords: TransactionContents, Sendable {
    package private(set) var records: [LogRecord] = []
    private let isAccepted: @Sendable (Record) -> Bool

    package init(where isAccepted: @escaping @Sendable (Record) -> Bool) {
        self.isAccepted = isAccepted
    }

    package mutating func add(_ record: Record, of frame: borrowing LogScanner.Frame) {
        guard isAccepted(record) else { return }
        records.append(LogRecord(record: record, payload: frame.payload))
    }

    package func emptied() -> AcceptedRecords { AcceptedRecords(where: isAccepted) }
}

/// The first records of a transaction that change an object or a link.
struct FirstRecords: TransactionContents {
    private(set) var records: [LogRecord] = []
    /// Whether the transaction has more records than ``records``.
    private(set) var hasMore = false
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    mutating func add(_ record: Record, of frame: borrowing LogScanner.Frame) {
        guard EventKind(record.kind) != nil else { return }
        guard records.count < limit else { return hasMore = true }
        records.append(LogRecord(record: record, payload: frame.payload))
    }

    func emptied() -> FirstRecords { FirstRecords(limit: limit) }
}

/// The changes of indexes that a replay applies.
extension TransactionChanges: TransactionContents {
    package mutating func add(
        _ record: Record, of frame: borrowing LogScanner.Frame
    ) throws(DaybookError) {
        let isLocated = record.kind == .put || record.kind == .remove
        try add(
            record, in: frame.payload.span,
            at: isLocated ? try frame.location(recordOffset: record.offset).rawValue : 0)
    }
}
