import Daybook

/// Options of an archiver.
public struct ArchiverOptions: Sendable {
    /// The time between two additions of ``Archiver/run()``: the loss of all machines loses at most
    /// the commits of that time. The default is 10 seconds.
    public var interval = Duration.seconds(10)
    /// The encoded length at which a segment ends; a longer transaction has a segment of its own. A
    /// segment is in memory while it is written. The default is 16 MiB.
    public var segmentSizeBytesMax = 16 << 20

    /// Creates the default options.
    public init() {}

    /// Throws `.invalidArgument` for a value outside its range.
    func check() throws(DaybookError) {
        guard interval >= .milliseconds(1), (1...(256 << 20)).contains(segmentSizeBytesMax) else {
            throw DaybookError(
                .invalidArgument,
                "An archiver needs an interval of at least a millisecond, and segments of 1 byte to"
                    + " 256 MiB.")
        }
    }
}

/// The state of an archiver.
public struct ArchiverStatus: Sendable {
    /// The last sequence that is known to be in the archive.
    public var archivedSequence: UInt64 = 0
    /// The number of segments that this archiver added.
    public var segmentCount = 0
    /// The number of bytes that this archiver added.
    public var sizeBytes = 0
    /// The last error of the attempts that continue; nil after a success.
    public var failure: (any Error)?
}
