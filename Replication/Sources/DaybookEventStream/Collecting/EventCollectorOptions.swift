public import DaybookEvents

/// Options of an ``EventCollector``.
public struct EventCollectorOptions: Sendable {
    /// Whether the collector removes the messages whose events are durable in its store. The
    /// default is false: other collectors can read the stream, too.
    public var purgesCollected = false
    /// Whether the collector continues if messages that it has not read were removed. The default
    /// is false: it throws `.eventsMissing`.
    public var acceptsMissingMessages = false

    /// Creates the default options.
    public init() {}
}

/// The state of an ``EventCollector``.
public struct EventCollectorStatus: Sendable {
    /// The last message whose events are in the store.
    public var sequence: UInt64 = 0
    /// The events that this collector has appended, found again, and rejected.
    public var events = EventInboxReport()
    /// The number of messages that are no events, which are skipped.
    public var foreignMessageCount = 0
    /// The number of messages that were removed before they were read.
    public var missingMessageCount: UInt64 = 0
    /// The last failure; nil after a read.
    public var failure: (any Error)?

    /// Creates the state of a collector that has read nothing.
    public init() {}
}
