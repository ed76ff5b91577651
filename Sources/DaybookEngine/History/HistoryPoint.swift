package import DaybookBytes

/// A place in the history, as a person names it.
package enum HistoryPoint: Sendable, Equatable {
    /// A transaction.
    case sequence(UInt64)
    /// All moments from `first` to `last`, in microseconds since 1970: a day, a second, an instant,
    /// as exactly as it was given.
    case time(first: Int64, last: Int64)
}

/// A part of the history; both ends belong to it, and a missing one is the end of the log.
///
/// A time stands for a place in the log: `from` begins with the first transaction that was
/// committed at it or later, `until` ends with the last one that was committed at it or before. So
/// a clock that was set back never tears a hole into a range.
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
