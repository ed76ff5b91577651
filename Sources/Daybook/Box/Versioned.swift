/// An object, and the last commit that changed it.
public struct Versioned<E: Entity> {
    /// The object.
    public var object: E
    /// The sequence of that commit. Pass it to a put that must not overwrite changes of other
    /// writers. For an object that the running transaction has changed, the last commit before it;
    /// 0 for an object that the transaction inserted.
    public let sequence: UInt64

    /// Creates a versioned object. `sequence` is the last commit that had changed the object when
    /// it was read.
    public init(object: E, sequence: UInt64) {
        self.object = object
        self.sequence = sequence
    }
}

extension Versioned: Sendable where E: Sendable {}
extension Versioned: Equatable where E: Equatable {}
