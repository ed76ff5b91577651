/// Where the fields of a page's header stand. Every page begins with one; entries follow it.
///
///     0 kind  1 level  2 count  4 prefix length  6 heap start  8 birth (8 bytes)
///     16 reciprocal (8 bytes, inner pages of words) or garbage length (2 bytes, pages of bytes)
///     24 link (4 bytes)  28 reserved
enum PageHeader {
    /// `PageKind`, one byte.
    static let kind = 0
    /// 0 for a leaf, one more with each step towards the root; one byte.
    static let level = 1
    /// Entries in the page, or the bytes in an overflow page; two bytes.
    static let count = 2
    /// Bytes that all keys of a page of bytes begin with; two bytes.
    static let prefixLength = 4
    /// Where the lowest cell of a page of bytes begins; two bytes.
    static let heapStart = 6
    /// The sequence of the transaction that made the page; 0 when it comes from a snapshot.
    static let birth = 8
    /// 2^64 divided by the average distance of two keys of an inner page of words.
    static let reciprocal = 16
    /// Bytes of removed cells in a page of bytes; two bytes.
    static let garbageLength = 16
    /// The leftmost child of an inner page of bytes, or the next page of an overflow chain.
    static let link = 24
    /// The whole header.
    static let length = 32

    /// No tree is higher, so a walk that goes deeper runs through damaged pages. A level above
    /// the leaves comes into being only when a full page is split, so 2^26 pages need fewer.
    static let levelMax = 31
}
