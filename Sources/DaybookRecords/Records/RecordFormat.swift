extension Record {
    /// The kind of a record. Unknown kinds from 0x80 are skippable; a newer release wrote any other
    /// unknown kind.
    package enum Kind: UInt8, Sendable {
        /// A new version of an object.
        case put = 1
        /// A removed object.
        case remove = 2
        /// A new link from a source to a target.
        case link = 3
        /// A removed link from a source to a target.
        case unlink = 4
        /// A layout for later rows.
        case schema = 5
        /// The end of a transaction, which contains all records since the previous commit.
        case commit = 6
        /// History before the floor may be missing.
        case compacted = 7
        /// An independent row: nothing replaces it, and no index contains it.
        case event = 8
        /// A target at a position in a source's list.
        case listInsert = 9
        /// A removed target at a position in a source's list.
        case listRemove = 10
        /// Versions up to the transaction are erased, or will be.
        case erased = 11

        /// Whether the record belongs to one object, whose reads and history need it.
        package var isOfObject: Bool { self == .put || self == .remove || self == .event }
    }
}

/// The type of a property.
@usableFromInline package enum FieldType: UInt8, Sendable, Hashable, CaseIterable {
    case bool = 1
    case int8 = 2
    case int16 = 3
    case int32 = 4
    case int64 = 5
    case uint8 = 6
    case uint16 = 7
    case uint32 = 8
    case uint64 = 9
    case float = 10
    case double = 11
    /// Milliseconds since 1970 as a signed 64-bit number.
    case date = 12
    /// UTF-8.
    case string = 13
    case bytes = 14
    /// Nanoseconds since 1970 as a signed 64-bit number.
    case dateNano = 15
    /// 16 bytes in the order of the text form.
    case uuid = 16
    /// A decimal number as its shortest text.
    case decimal = 17
    /// A list of values of one type; see ``ValueListReader``.
    case list = 18
    /// A list of distinct values, sorted by their bytes.
    case set = 19
    /// Text keys, sorted by their bytes, each with a value.
    case map = 20
    /// A row inside a row: the layout number, then the row.
    case embedded = 21
    /// A value of any shape as JSON, in UTF-8.
    case json = 22
    /// A relation to at most one object. A relation is not part of the row: its links are separate
    /// records, and the field is always null.
    case toOne = 23
    /// An unordered relation to any number of objects.
    case toMany = 24
    /// An ordered relation to objects, which may occur several times.
    case objects = 25
    /// A relation to at most one object for each key. The position of a link is its key: see
    /// ``LinkKey``.
    case keyedObjects = 26
}

/// The kind of an entity.
package enum EntityKind: UInt8, Sendable, Hashable {
    /// Objects with ids that can be put, replaced and removed.
    case object = 1
    /// Values inside objects, without rows of their own.
    case embedded = 2
    /// Appended rows that no index contains.
    case event = 3
}

extension CompactedRecord {
    /// The history that a compaction retained.
    package enum Policy: UInt8, Sendable {
        /// All history.
        case all = 0
        /// The state at the floor, and the history after it.
        case since = 1
        /// The last version of each object.
        case latest = 2
        /// The newest versions of each object.
        case versions = 3
    }
}

/// Numbers of records other than kinds and types.
package enum RecordFormat {
    /// Readers may skip unknown kinds from here on.
    package static let skippableKindMin: UInt8 = 0x80
    /// The maximum sequence: index entries use the bit above it.
    package static let sequenceMax = UInt64(Int64.max)
    /// The maximum number of fields of an entity.
    package static let fieldCountMax = 65_535
    /// The maximum number of a property; higher numbers are reserved for later properties.
    static let propertyIDMax = UInt32(Int32.max)
    /// The only flag of a field so far: it may be null.
    static let fieldIsOptional: UInt8 = 1
    /// The maximum nesting depth of collections.
    package static let shapeDepthMax = 16
    /// The flags of an index.
    static let indexIsUnique: UInt8 = 1
    static let indexIsPrimaryKey: UInt8 = 2
    /// The maximum number of properties of an index.
    package static let indexColumnCountMax = 64
    /// The maximum length of a list position.
    package static let positionLengthBytesMax = 255
}

/// The numbers of rows. A row is a header byte, a null bitmap (one bit per field, in field order,
/// low bits first), fixed-width fields without padding, end offsets of the variable fields, and
/// variable bytes.
@usableFromInline package enum RowFormat {
    /// The only flag of a row's header so far: end offsets take four bytes instead of two.
    @usableFromInline package static let headerIsWide: UInt8 = 1
    /// The maximum length of variable bytes with two-byte offsets.
    package static let narrowLengthMax = 65_535
    /// The maximum length of a row in bytes.
    package static let rowLengthBytesMax = 2_147_483_647
}
