/// The numbers of a packed payload, in which one record is read without decoding the others:
///
///     format u8 · record count, length of heads, of bits (varints)
///     heads · bits · texts
///
/// Heads: group count, then the descriptions of three columns: the lengths of all records in the
/// payload, the lengths of their stored texts, and the group of each record. Then for each group
/// its shape (see ``GroupShape``) and the descriptions of its columns: its leading numbers, the
/// bytes of its null bitmaps, its fixed fields, and for each variable field or tail its storage
/// (u8) and, except for the last one, the lengths of its stored texts. A reader of one record reads
/// no description after those of its group.
///
/// Bits: the numbers of each column that has any, from a whole byte on. Texts: the variable fields
/// of the first record, then those of the second ….
enum PackedFormat {
    static let current: UInt8 = 1

    // The kind of a column of numbers: the low four bits …
    static let kindMask: UInt8 = 0x0F
    /// All values equal the base.
    static let constant: UInt8 = 0
    /// The value of a record is the base plus a step for each record before it.
    static let linear: UInt8 = 1
    /// Differences from the base, with the bit width of the largest.
    static let bits: UInt8 = 2
    /// … and in the high four bits, for floating point, 1 + the number of decimal digits.
    static let decimalShift: UInt8 = 4

    // The storage of a variable field.
    static let plainTexts: UInt8 = 0
    /// Codes of the token table.
    static let tokenTexts: UInt8 = 1

    /// The maximum length of a payload. The compressor makes longer ones smaller, and a reader
    /// rejects them before it allocates memory.
    static let payloadLengthMax = 64 << 10
}
