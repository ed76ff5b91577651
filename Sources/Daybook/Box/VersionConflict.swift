import DaybookBytes
import DaybookEngine

/// A conflict: another commit has changed the object that the caller wanted to change. Contains the
/// current version in the store. ``Box/conflict(in:)`` extracts it from the error.
public struct VersionConflict<E: Entity> {
    /// The id of the object.
    public let id: Id
    /// The commit that the rejected change was based on.
    public let expected: UInt64
    /// The last commit that changed the object. Merge both versions and pass this sequence to the
    /// next attempt. 0 if a compaction dropped that change.
    public let sequence: UInt64
    /// The object in the store; nil if it was removed.
    public let theirs: E?
}

extension VersionConflict: Sendable where E: Sendable {}

extension Box {
    /// Returns the conflict that an error contains. Nil for any error but `.conflict`, and for a
    /// conflict over an object of another entity.
    ///
    /// The object is the version at the time of the rejected change; the store is not read. Throws
    /// `.corruption` for a damaged row, `.entityNotRegistered`.
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
