/// An object, and the commit that changed it last.
public struct Versioned<E: Entity> {
    /// The object.
    public var object: E
    /// The number of that commit: what a put that is to be refused if others have changed the
    /// object wants to know. Of an object that a running transaction has changed, the commit
    /// before; 0 for one that it inserted.
    public let sequence: UInt64

    /// An object that was read when `sequence` was the commit that had changed it last.
    public init(object: E, sequence: UInt64) {
        self.object = object
        self.sequence = sequence
    }
}

extension Versioned: Sendable where E: Sendable {}
extension Versioned: Equatable where E: Equatable {}
