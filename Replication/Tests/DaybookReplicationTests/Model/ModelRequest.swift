/// A request to append frames that the network has not delivered.
struct ModelRequest: Hashable {
    var frames: [FrameTable.Identity]
    /// The last sequence that the stream must have.
    var expectedLast: UInt8
}
