/// A frame in the model.
///
/// Equal frames are one frame, because the identity of a real frame is the hash of its bytes.
struct ModelFrame: Hashable {
    /// The kind of a frame.
    enum Content: Hashable {
        case claim
        /// A value that one commit of one writer contains.
        case commit(value: UInt8)
    }

    var term: UInt8
    var writer: UInt8
    var predecessor: FrameTable.Identity
    var content: Content
    /// Distinguishes the frames of a writer that gives a repeated frame a new identity.
    var attempt: UInt8 = 0
}
