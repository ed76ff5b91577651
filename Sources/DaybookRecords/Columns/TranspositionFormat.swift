/// The numbers of a transposed payload, which is decoded without a schema:
///
///     format u8 · record count, length of heads, of texts, of planes (varints)
///     heads · texts · planes · bits
///
/// There are four streams, because each compresses differently: descriptions, texts, repetitive
/// bytes of numbers, and incompressible bit-packed numbers. Texts are before the packed bits,
/// because a fast compressor searches less thoroughly after incompressible bytes.
///
/// Heads: group count, then for each group its kind (u8), number of records, shape (u8), for rows
/// their header, the length of their null bitmap and the widths of their fixed fields (counted),
/// and the number of variable fields. Then the columns: the group of each record; the numbers and
/// variable fields of each group; the bitmap bytes and fixed fields of each group.
enum TranspositionFormat {
    static let current: UInt8 = 1
    /// Below this count, the descriptions are longer than the gain.
    static let recordCountMin = 4
    /// Every record except the last starts before this offset of its payload, because index entries
    /// have 17 bits for it. (The last record is a commit, which no entry refers to.) Other input is
    /// rejected before memory is allocated for it.
    static let recordStartMax = 1 << 17
    /// A record takes at least two bytes: its length and its kind.
    static let recordCountMax = recordStartMax / 2 + 1
    /// The maximum number of leading numbers in a record.
    static let numberCountMax = 4

    // The shape of a group: the number of leading numbers, and the kind of the rest.
    static let shapeNumberMask: UInt8 = 0x07
    static let shapeHasRow: UInt8 = 0x08
    static let shapeHasTail: UInt8 = 0x10

    // The storage of a column of numbers: the low three bits …
    static let storageMask: UInt8 = 0x07
    /// All values equal the base.
    static let storageConstant: UInt8 = 0
    /// Differences from the base, with the bit width of the largest.
    static let storageBits: UInt8 = 1
    /// Differences from the base: all lowest bytes, then all second ones ….
    static let storagePlanes: UInt8 = 2
    /// A column of the distinct values, then a column of indexes into it.
    static let storageDictionary: UInt8 = 3
    /// … a flag for differences between neighbouring values …
    static let isDelta: UInt8 = 0x08
    /// … and in the high four bits, for floating point, 1 + the number of decimal digits.
    static let decimalShift: UInt8 = 4

    // The storage of a variable field.
    /// A column of lengths; the bytes one after another.
    static let variablePlain: UInt8 = 0
    /// The count of distinct values, their lengths and bytes; a column of indexes.
    static let variableDictionary: UInt8 = 1

    /// The maximum bit width of packed numbers; wider ones take eight bytes.
    static let bitsMax = 56
    /// The maximum number of distinct values in a dictionary.
    static let dictionaryCountMax = 256
}
