/// The offsets of the fields in a page's header. Every page starts with a header; entries follow.
///
///     0 kind  1 level  2 count  4 prefix length  6 heap start  8 birth (8 bytes)
///     16 reciprocal (8 bytes, inner pages of words) or garbage length (2 bytes, pages of bytes)
///     24 link (4 bytes)  28 generation (4 bytes)
enum PageHeader {
    /// The `PageKind`; one byte.
    static let kind = 0
    /// The height above the leaves, 0 for a leaf; one byte.
    static let level = 1
    /// The number of entries in the page, or of bytes in an overflow page; two bytes.
    static let count = 2
    /// The length of the common prefix of all keys in a page of bytes; two bytes.
    static let prefixLength = 4
    /// The offset of the lowest cell in a page of bytes; two bytes.
    static let heapStart = 6
    /// The sequence of the transaction that created the page; 0 for pages from a snapshot.
    static let birth = 8
    /// 2^64 divided by the average distance of two keys of an inner page of words.
    static let reciprocal = 16
    /// The total length of removed cells in a page of bytes; two bytes.
    static let garbageLength = 16
    /// The leftmost child of an inner page of bytes, or the next page of an overflow chain.
    static let link = 24
    /// The number of the snapshot, among those of its space, that the page was loaded from; 0 for a
    /// page that was created in memory.
    static let generation = 28
    /// The length of the header.
    static let length = 32

    /// The maximum height of a tree; a deeper descent is in damaged pages. A tree grows only when a
    /// full page is split, so 2^26 pages need fewer levels.
    static let levelMax = 31
}
