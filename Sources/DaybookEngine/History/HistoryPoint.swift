package import DaybookBytes

/// A point in the history, as a user specifies it.
package enum HistoryPoint: Sendable, Equatable {
    /// The transaction with this sequence.
    case sequence(UInt64)
    /// All moments from `first` to `last`, in microseconds since 1970. The interval depends on the
    /// given precision, for example a day or a second.
    case time(first: Int64, last: Int64)
}

/// A part of the history, including both ends. A missing end is the end of the log.
///
/// A time specifies a position in the log: `from` begins with the first transaction that was
/// committed at that time or later, `until` ends with the last one that was committed at that time
/// or before. So a range has no gaps, even if the clock was set back.
package struct HistoryRange: Sendable, Equatable {
    package var from: HistoryPoint?
    package var until: HistoryPoint?

    package init(from: HistoryPoint? = nil, until: HistoryPoint? = nil) {
        self.from = from
        self.until = until
    }
}

/// The progress and the cancellation of a long operation.
package struct OperationControl {
    /// Called once a frame with the completed part, 0 to 1.
    package var progress: (Double) -> Void
    /// Called once a frame; true ends the operation with `.interrupted`.
    package var isCancelled: () -> Bool

    package init(
        progress: @escaping (Double) -> Void = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) {
        self.progress = progress
        self.isCancelled = isCancelled
    }

    /// Throws `.interrupted` if the operation was cancelled.
    package func check() throws(DaybookError) {
        try OperationCancellation.checkCurrent()
        if isCancelled() { throw .interrupted }
    }

    /// The control of one stage, which takes the operation from `start` to `end`.
    package func stage(_ start: Double, _ end: Double) -> OperationControl {
        let progress = progress
        return OperationControl(
            progress: { progress(start + (end - start) * $0) }, isCancelled: isCancelled)
    }
}
