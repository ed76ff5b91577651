extension Record {
    /// What a record says. From 0x80 upwards an unknown kind may be skipped; an unknown kind below
    /// means that the store was written by a newer release.
    package enum Kind: UInt8, Sendable {
        /// An object has these bytes from now on.
        case put = 1
        /// An object is gone.
        case remove = 2
        /// A relation leads from a source to a target.
        case link = 3
        /// A relation leads no longer from a source to a target.
        case unlink = 4
        /// A layout that later rows name.
        case schema = 5
        /// The records since the last one of these are a transaction.
        case commit = 6
        /// What is older than the floor may be missing.
        case compacted = 7
        /// A row that stands for itself: nothing replaces it, and no index leads to it.
        case event = 8
        /// A list of a source has a target at a position.
        case listInsert = 9
        /// A list of a source has a target no more at a position.
        case listRemove = 10
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
    /// 16 bytes in the order in which they are written as text.
    case uuid = 16
    /// A decimal number as its shortest text.
    case decimal = 17
    /// A list of values of one type; see ``ValueListReader``.
    case list = 18
    /// A list without an order and without equal values, kept in the order of their bytes.
    case set = 19
    /// Texts, in the order of their bytes, and a value for each.
    case map = 20
    /// A row inside a row: the number of its layout, then the row.
    case embedded = 21
    /// A value of any shape as JSON, in UTF-8.
    case json = 22
    /// A relation to at most one object. Nothing of a relation is in the row: its links are records
    /// of their own, and the field is always null.
    case toOne = 23
    /// A relation to any number of objects, in no order of its own.
    case toMany = 24
    /// A relation to a list of objects, in which one may stand several times.
    case objects = 25
}

/// What an entity is to the store.
package enum EntityKind: UInt8, Sendable, Hashable {
    /// Objects with ids, that are put, replaced and removed.
    case object = 1
    /// Values inside objects; they have no rows of their own.
    case embedded = 2
    /// Rows that are appended and never read by an index.
    case event = 3
}

extension CompactedRecord {
    /// Which history a compaction kept.
    package enum Policy: UInt8, Sendable {
        /// All of it.
        case all = 0
        /// What is needed for the history floor and everything after. Not written so far: a number
        /// that the format keeps for it.
        case since = 1
        /// The last version of each object.
        case latest = 2
    }
}

/// The numbers of records that are not kinds or types.
package enum RecordFormat {
    /// Kinds from here on may be skipped by a release that does not know them.
    package static let skippableKindMin: UInt8 = 0x80
    /// The highest number of a transaction: index entries use the bit above it.
    package static let sequenceMax = UInt64(Int64.max)
    /// The most fields that an entity may have.
    package static let fieldCountMax = 65_535
    /// The highest number of a property: the numbers above it are left for the next ones.
    static let propertyIDMax = UInt32(Int32.max)
    /// The only flag of a field so far: it may be null.
    static let fieldIsOptional: UInt8 = 1
    /// How deep collections may stand in collections.
    package static let shapeDepthMax = 16
    /// The flags of an index.
    static let indexIsUnique: UInt8 = 1
    static let indexIsPrimaryKey: UInt8 = 2
    /// The most properties that an index may have.
    package static let indexColumnCountMax = 64
    /// The longest position in a list.
    package static let positionLengthBytesMax = 255
}

/// The numbers of rows: header byte, null bitmap (a bit a field, in field order, low bits first),
/// fixed-width fields without padding, end offsets of the variable fields, variable bytes.
@usableFromInline package enum RowFormat {
    /// The only flag of a row's header so far: end offsets take four bytes instead of two.
    @usableFromInline package static let headerIsWide: UInt8 = 1
    /// The most variable bytes that two-byte offsets can tell.
    package static let narrowLengthMax = 65_535
    /// The longest row, in bytes.
    package static let rowLengthBytesMax = 2_147_483_647
}
