/// The result of ``EventInbox/append(_:)``.
public struct EventInboxReport: Sendable, Hashable {
    /// The number of events that were appended.
    public var appendedCount = 0
    /// The number of events that the store had already.
    public var duplicateCount = 0
    /// The number of events that were kept as a ``RejectedEvent``.
    public var rejectedCount = 0
    /// The number of times that the batch before was missing.
    public var gapCount = 0

    /// Creates an empty report.
    public init() {}

    /// Adds the numbers of another report.
    public mutating func add(_ other: EventInboxReport) {
        appendedCount += other.appendedCount
        duplicateCount += other.duplicateCount
        rejectedCount += other.rejectedCount
        gapCount += other.gapCount
    }
}
