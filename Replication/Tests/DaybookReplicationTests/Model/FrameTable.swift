/// The frames of a model, each with a small number, because states must be short and equal frames
/// must have equal identities.
final class FrameTable {
    typealias Identity = UInt16

    /// The predecessor of the first frame, and the identity of a message that is no frame.
    static let none: Identity = 0

    private var frames: [ModelFrame] = []
    private var identities: [ModelFrame: Identity] = [:]

    /// The frame with an identity other than ``none``.
    subscript(_ identity: Identity) -> ModelFrame { frames[Int(identity) - 1] }

    /// The identity of a frame, a new one if the frame is new.
    func identity(of frame: ModelFrame) -> Identity {
        if let identity = identities[frame] { return identity }
        frames.append(frame)
        let identity = Identity(frames.count)
        identities[frame] = identity
        return identity
    }
}
