/// A state of the stream, the network and all writers.
struct ProtocolState: Hashable {
    var stream: [FrameTable.Identity] = []
    /// The requests that the network may still deliver, in a fixed order, so that equal states
    /// compare equal.
    var requests: [ModelRequest] = []
    var writers: [ModelWriter]
    var claimCount: UInt8 = 0
    var foreignCount: UInt8 = 0

    /// The sequence of the last message.
    var last: UInt8 { UInt8(stream.count) }
}
