/// Options of an ``EventShipper``.
public struct EventShipperOptions: Sendable {
    /// The name under which the store keeps the place, as that of a consumer. Shippers to different
    /// streams have different names.
    public var name = "event-shipper"
    /// The size of the text of a message's events. The default is 256 KiB; one event may be longer.
    public var batchSizeBytesMax = 256 << 10
    /// How long the shipper waits for more events after the first one. The default is 1 second.
    /// Zero sends each event at once, in a message of its own.
    public var gatherInterval = Duration.seconds(1)
    /// The minimum time between two acknowledgements to the store. The default is 5 seconds. Each
    /// costs two syncs of the disk. After a crash, the shipper finds the end of the sent events in
    /// the stream.
    public var acknowledgementInterval = Duration.seconds(5)

    /// Creates the default options.
    public init() {}
}

/// The state of an ``EventShipper``.
public struct EventShipperStatus: Sendable {
    /// The number of events that this shipper has sent.
    public var sentEventCount = 0
    /// The number of commits after the acknowledged ones, with events or without.
    public var pendingCommitCount: UInt64 = 0
    /// The last failure; nil after a batch was sent.
    public var failure: (any Error)?

    /// Creates the state of a shipper that has sent nothing.
    public init() {}
}
