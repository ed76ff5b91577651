package import DaybookBytes
package import DaybookLog
package import DaybookRecords

/// A record of the log, and the payload of the frame that contains its bytes. Nothing is copied.
package struct LogRecord: Sendable {
    package var record: Record
    package var payload: [UInt8]
}

extension LogScanner.Frame {
    /// Calls `body` with each record of the frame, in the order of the log. Throws `.corruption`,
    /// `.formatTooNew`, and what `body` throws.
    @inline(__always)
    package func forEachRecord(
        _ body: (Record) throws(DaybookError) -> Void
    ) throws(DaybookError) {
        var reader = RecordReader(payload.span)
        while let record = try reader.next() { try body(record) }
    }

    /// Calls `body` with each record of the frame and the sequence of its transaction. Copies
    /// nothing. See ``forEachRecord(_:)`` for errors.
    ///
    /// A commit record contains the sequence of its transaction, and the records before it belong
    /// to the same transaction. The records after the last commit record belong to a transaction
    /// that continues in the next frame; the frame's header contains its sequence.
    @inline(__always)
    package func forEachRecord(
        withSequence body: (Record, UInt64) throws(DaybookError) -> Void
    ) throws(DaybookError) {
        let commits = try commits()[...]
        var rest = commits
        try forEachRecord { record throws(DaybookError) in
            while let next = rest.first, next.end <= record.offset { rest.removeFirst() }
            try body(record, rest.first?.sequence ?? header.lastSequence)
        }
    }

    /// The ends of the commit records, with their sequences.
    private func commits() throws(DaybookError) -> [(end: Int, sequence: UInt64)] {
        var commits: [(end: Int, sequence: UInt64)] = []
        var reader = RecordReader(payload.span)
        while let record = try reader.nextCommit() {
            let commit = try CommitRecord(decoding: payload.span.extracting(record.body))
            commits.append((record.end, commit.sequence))
        }
        return commits
    }

    /// The records of the frame, each with the sequence of its transaction. See
    /// ``forEachRecord(withSequence:)`` for errors.
    package func records() throws(DaybookError) -> [(record: Record, sequence: UInt64)] {
        var records: [(record: Record, sequence: UInt64)] = []
        try forEachRecord { record, sequence in records.append((record, sequence)) }
        return records
    }
}

/// Iterates over the frames that contain records of a range of transactions.
///
/// The first and the last frame may also contain records of other transactions.
package struct LogFrames {
    private var scanner: LogScanner
    private let after: UInt64
    private let until: UInt64
    private let progress: LogProgress?
    /// The part of the log that ends with the current frame, if progress is reported.
    private var fraction: Double?
    private var isAtEnd = false

    /// The frames of transactions after the sequence `after` and up to `until`. With `progress`,
    /// ``next(_:)`` reports the position of each frame once the caller is done with the frame.
    package init(
        _ scanner: LogScanner, after: UInt64 = 0, until: UInt64 = .max,
        progress: LogProgress? = nil
    ) {
        self.scanner = scanner
        self.after = after
        self.until = until
        self.progress = progress
    }

    /// Whether the range contains a transaction.
    func contains(_ sequence: UInt64) -> Bool { sequence > after && sequence <= until }

    /// The position after the frame that was returned last.
    var position: LogPosition? { scanner.position }

    /// The next frame, or nil after the last one. `isCancelled` is called once for each frame.
    /// Throws `.interrupted`, `.corruption`, `.formatTooNew`.
    package mutating func next(
        isCancelled: () -> Bool = { false }
    ) throws(DaybookError) -> LogScanner.Frame? {
        while !isAtEnd, let frame = try scanner.next() {
            if isCancelled() { throw .interrupted }
            if frame.header.firstSequence > until { break }
            if frame.header.lastSequence > after { return frame }
        }
        isAtEnd = true
        return nil
    }

    /// The next frame, or nil after the last one; reports progress and can be cancelled.
    package mutating func next(
        _ control: OperationControl
    ) throws(DaybookError) -> LogScanner.Frame? {
        if let fraction { control.progress(fraction) }
        let frame = try next(isCancelled: control.isCancelled)
        fraction = frame.flatMap { frame in progress.map { $0.fraction(at: frame) } }
        return frame
    }
}

/// Iterates over the records of a range of transactions, in the order of the log. Memory: one
/// frame.
package struct LogRecords {
    private var frames: LogFrames
    private var payload: [UInt8] = []
    private var rest: ArraySlice<(record: Record, sequence: UInt64)> = []

    /// The records of the transactions that `frames` contains.
    package init(_ frames: LogFrames) { self.frames = frames }

    /// The next record and the sequence of its transaction, or nil after the last one.
    package mutating func next(
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> (record: LogRecord, sequence: UInt64)? {
        while true {
            while let (record, sequence) = rest.popFirst() {
                guard frames.contains(sequence) else { continue }
                return (LogRecord(record: record, payload: payload), sequence)
            }
            guard let frame = try frames.next(control) else { return nil }
            payload = frame.payload
            rest = try frame.records()[...]
        }
    }
}
