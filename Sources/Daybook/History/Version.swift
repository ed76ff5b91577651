import DaybookBytes
import DaybookEngine
public import Foundation

/// What an object was after one commit that changed it: see ``Box/history(of:limit:)``.
///
/// It holds the rows of this version and of the one before, so that asking for them never waits.
/// Objects are plain copies of what was written; relations of theirs, when they are followed, lead
/// to what is linked now. Where these matter, ask ``Store/view(at:)`` for the version's
/// ``sequence``.
public struct Version<E: Entity>: Sendable {
    /// What was there before the commit.
    enum Before: Sendable {
        case nothing
        case row(StoredRow)
        case gone
    }

    private let version: ObjectVersion
    private let earlier: Before
    private let types: StoreTypes
    private let number: UInt64

    init(_ version: ObjectVersion, before: Before, of id: UInt64, _ types: StoreTypes) {
        self.version = version
        earlier = before
        number = id
        self.types = types
    }

    /// Whose version it is.
    public var id: EntityId<E> { EntityId(number) }
    /// The number of the commit that made it.
    public var sequence: UInt64 { version.sequence }
    /// When that was, to the microsecond.
    public var date: Date { Date(microseconds: version.timeMicroseconds) }
    /// What was noted with the commit: who made it, and why.
    public var metadata: CommitMetadata { CommitMetadata(pairs: version.metadata) }
    /// Whether the commit removed the object.
    public var isRemoval: Bool { version.row == nil }

    /// The object since the commit; nil where that removed it. Throws `.corruption`, and what the
    /// type's own decoding throws.
    public var object: E? { get throws { try version.row.map(decode) } }

    /// The object before the commit; nil where there was none, and where a compaction dropped it:
    /// see ``isBeforeGone``. Throws as ``object``.
    public var before: E? {
        get throws {
            guard case .row(let row) = earlier else { return nil }
            return try decode(row)
        }
    }

    /// Whether a compaction dropped what was there before.
    public var isBeforeGone: Bool {
        if case .gone = earlier { return true }
        return false
    }

    /// The names in Swift of the properties that have another value than before: of a new object,
    /// or a removed one, those that have a value. Relations are not among them. Throws
    /// `.corruption`.
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
    /// The names in Swift of the properties in which two rows differ.
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
