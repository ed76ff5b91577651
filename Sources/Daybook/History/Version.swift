import DaybookBytes
import DaybookEngine
public import Foundation

/// An object after one commit that changed it: see ``Box/history(of:limit:)``.
///
/// A version keeps its row and the row of the version before in memory, so reading them never
/// blocks. The objects are plain copies of the written values; their relations return the objects
/// that are linked now. To read the relations of that version, use ``Store/view(at:)`` with the
/// version's ``sequence``.
public struct Version<E: Entity>: Sendable {
    private let version: ObjectVersion
    private let earlier: HistoryPart.Before
    private let types: StoreTypes
    private let number: UInt64

    init(_ version: ObjectVersion, before: HistoryPart.Before, of id: UInt64, _ types: StoreTypes) {
        self.version = version
        earlier = before
        number = id
        self.types = types
    }

    /// The id of the object.
    public var id: EntityId<E> { EntityId(number) }
    /// The sequence number of the commit.
    public var sequence: UInt64 { version.sequence }
    /// The time of the commit, to the microsecond.
    public var date: Date { Date(microseconds: version.timeMicroseconds) }
    /// The metadata of the commit, such as its author.
    public var metadata: CommitMetadata { CommitMetadata(pairs: version.metadata) }
    /// Whether the commit removed the object.
    public var isRemoval: Bool { version.row == nil }

    /// The object after the commit, or nil if the commit removed it. Throws `.corruption` and the
    /// errors of the type's own decoding.
    public var object: E? { get throws { try version.row.map(decode) } }

    /// The object before the commit. Nil if there was none, and if a compaction has dropped it: see
    /// ``isBeforeGone``. Throws the errors of ``object``.
    public var before: E? {
        get throws {
            guard case .row(let row) = earlier else { return nil }
            return try decode(row)
        }
    }

    /// Whether a compaction has dropped the version before the commit.
    public var isBeforeGone: Bool {
        if case .gone = earlier { return true }
        return false
    }

    /// The Swift names of the properties whose values differ from the version before. For an
    /// inserted or removed object, the properties that have a value. Relations are not included.
    /// Throws `.corruption`.
    public var changedProperties: Set<String> {
        get throws {
            var old: StoredRow?
            if case .row(let row) = earlier { old = row }
            return try types.binding(of: E.self).changedProperties(old, version.row)
        }
    }

    private func decode(_ row: StoredRow) throws -> E {
        let binding = try types.binding(of: E.self)
        return try binding.decode(row, as: E.self, types)
    }
}

extension EntityBinding {
    /// The Swift names of the properties in which two rows differ.
    func changedProperties(
        _ before: StoredRow?, _ after: StoredRow?
    ) throws(DaybookError) -> Set<String> {
        let numbers = try engine.schemas.changedProperties(before, after)
        var names: Set<String> = []
        for (field, name) in zip(layout.layout.fields, declaredNames)
        where numbers.contains(field.propertyID) {
            names.insert(name)
        }
        return names
    }
}
