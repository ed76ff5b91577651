import DaybookBytes
import DaybookEngine

/// What stood in the way of a change that was to be made only if nobody else had changed the
/// object: theirs, while the caller has the other version. ``Box/conflict(in:)`` gets it of the
/// error.
public struct VersionConflict<E: Entity> {
    /// The id of the object.
    public let id: Id
    /// The commit that the refused change was made from.
    public let expected: UInt64
    /// The commit that changed the object last: what a second try is made from, once both versions
    /// are brought together. 0 where compaction has dropped what it did.
    public let sequence: UInt64
    /// The object as it is in the store; nil where it was removed.
    public let theirs: E?
}

extension VersionConflict: Sendable where E: Sendable {}

extension Box {
    /// The other version of the object that a change was refused for; nil for any error but
    /// `.conflict`, and for one that an object of another entity was refused with.
    ///
    /// Throws `.corruption` for a damaged row, `.entityNotRegistered`. Nothing is read from the
    /// store: it is the object as it was when the change was refused.
    public func conflict(in error: any Error) throws -> VersionConflict<E>? {
        let binding = try binding()
        guard let error = error as? DaybookError, error.code == .conflict,
            let conflict = error.cause as? ObjectConflict, conflict.entity == binding.entity
        else { return nil }
        return VersionConflict(
            id: conflict.id, expected: conflict.expected, sequence: conflict.sequence,
            theirs: try conflict.row.map { try binding.decode($0, as: E.self, types) })
    }
}
