import Daybook

/// A point up to which an archive is read.
enum ArchivePoint: Sendable, Equatable {
    case sequence(UInt64)
    /// In microseconds since 1970.
    case time(Int64)

    /// Creates the point of a moment. Throws `.invalidArgument` for a date that is not a number.
    init(_ moment: HistoryMoment) throws(DaybookError) {
        switch moment {
        case .sequence(let sequence): self = .sequence(sequence)
        case .date(let date):
            let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded()
            guard !microseconds.isNaN else {
                throw DaybookError(
                    .invalidArgument, "The date is not a number. Use a valid date.")
            }
            self = .time(Int64(exactly: microseconds) ?? (microseconds < 0 ? .min : .max))
        }
    }

    /// Whether no commit of a segment is up to the point.
    func isBefore(_ segment: ArchiveSegment) -> Bool {
        switch self {
        case .sequence(let sequence): segment.firstSequence > sequence
        case .time(let time): segment.timesMicroseconds.lowerBound > time
        }
    }

    /// Whether all later segments are after the point.
    func isReached(by segment: ArchiveSegment) -> Bool {
        switch self {
        case .sequence(let sequence): segment.lastSequence >= sequence
        // The next commit may have the same time.
        case .time(let time): segment.timesMicroseconds.upperBound > time
        }
    }

    /// Whether the last commit of a base is not after the point.
    func includes(_ base: ArchiveBase) -> Bool {
        switch self {
        case .sequence(let sequence): base.sequence <= sequence
        case .time(let time): base.timeMicroseconds <= UInt64(clamping: time)
        }
    }
}
