/// The numbers of a transposed payload. It is read by itself, without a schema:
///
///     format u8 · record count, length of heads, of texts, of planes (varints)
///     heads · texts · planes · bits
///
/// Four streams, because each compresses in its own way: what describes, what people wrote, bytes
/// of numbers that repeat, and numbers packed so tightly that nothing can be gained any more. Texts
/// stand before the packed bits, as a fast compressor that has met incompressible bytes looks less
/// closely.
///
/// Heads: group count, then of each group its kind (u8), number of records, shape (u8), for rows
/// their header, the bytes of their null bitmap and the widths of their fixed fields (counted);
/// number of variable fields. Then the columns: the group of each record; of each group its numbers
/// and variable fields; of each group its bitmap bytes and fixed fields.
enum TranspositionFormat {
    static let current: UInt8 = 1
    /// Below this, the descriptions outweigh what is gained.
    static let recordCountMin = 4
    /// Every record but the last begins before this offset of its payload, for index entries have
    /// 17 bits for it. (The last is a commit, which no entry points to.) What claims otherwise is
    /// refused before memory is taken for it.
    static let recordStartMax = 1 << 17
    /// A record takes two bytes at least, its length and its kind.
    static let recordCountMax = recordStartMax / 2 + 1
    /// The most numbers that a record begins with.
    static let numberCountMax = 4

    // The shape of a group: how many numbers its records begin with, and what follows them.
    static let shapeNumberMask: UInt8 = 0x07
    static let shapeHasRow: UInt8 = 0x08
    static let shapeHasTail: UInt8 = 0x10

    // How a column of numbers is stored: the low three bits …
    static let storageMask: UInt8 = 0x07
    /// All are the base.
    static let storageConstant: UInt8 = 0
    /// Differences from the base, in as many bits as the largest takes.
    static let storageBits: UInt8 = 1
    /// Differences from the base: all lowest bytes, then all second ones ….
    static let storagePlanes: UInt8 = 2
    /// A column of the distinct values, then a column of indexes into it.
    static let storageDictionary: UInt8 = 3
    /// … then whether what is stored are differences from one value to the next …
    static let isDelta: UInt8 = 0x08
    /// … and in the high four bits, for floating point, 1 + how many decimal digits follow the
    /// point.
    static let decimalShift: UInt8 = 4

    // How a variable field is stored.
    /// A column of lengths; the bytes one after another.
    static let variablePlain: UInt8 = 0
    /// The count of distinct values, their lengths and bytes; a column of indexes.
    static let variableDictionary: UInt8 = 1

    /// The widest number that is packed bit by bit; wider ones take eight bytes.
    static let bitsMax = 56
    /// The most distinct values of a dictionary.
    static let dictionaryCountMax = 256
}
