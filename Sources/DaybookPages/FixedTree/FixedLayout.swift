internal import DaybookBytes

/// The layout of fixed-size entries in the pages of a tree.
///
/// A leaf contains keys with values, an inner page keys with child pages, sorted by key. The key of
/// a child is not greater than any key below it, and greater than any key below the previous child.
protocol FixedLayout {
    associatedtype Key: FixedWidthInteger & UnsignedInteger & BitwiseCopyable & Sendable
    associatedtype Value: BitwiseCopyable & Sendable

    static var kind: PageKind { get }

    /// The most likely index of a key in an inner page, if it can be computed without a search.
    static func guessChild(_ page: FixedInner<Self>, _ key: Key) -> Int?

    /// The maximum distance between the index of a key and the index of the first entry.
    static func distanceMax(_ key: Key, from first: Key) -> Int

    /// The likely index of a key among `count` sorted keys, from the first one and the last one:
    /// at least 1 and below `count`; nil if a binary search is better.
    static func guessIndex(
        of key: Key, between first: Key, and last: @autoclosure () -> Key, _ count: Int
    ) -> Int?

    /// Prepares `guessChild`; called after the entries of an inner page changed.
    static func prepareGuess(_ page: FixedInner<Self>)

    /// Encodes and decodes the keys of a page for a snapshot: as differences, one column per word.
    static func encodeKeys(_ count: Int, to writer: inout ByteWriter, _ key: (Int) -> Key)
    static func decodeKeys(
        _ count: Int, from reader: inout ByteReader, _ take: (Int, Key) -> Void
    ) throws(DaybookError)

    /// Encodes and decodes the values of a leaf for a snapshot.
    static func encodeValues(_ count: Int, to writer: inout ByteWriter, _ value: (Int) -> Value)
    static func decodeValues(
        _ count: Int, from reader: inout ByteReader, _ take: (Int, Value) -> Void
    ) throws(DaybookError)
}

extension FixedLayout {
    @inline(__always) static var keyLength: Int { MemoryLayout<Key>.size }
    @inline(__always) static var leafStride: Int { keyLength + MemoryLayout<Value>.size }
    @inline(__always) static var innerStride: Int { keyLength + MemoryLayout<UInt32>.size }
    @inline(__always)
    static var leafCapacity: Int { (Page.size - PageHeader.length) / leafStride }
    @inline(__always)
    static var innerCapacity: Int { (Page.size - PageHeader.length) / innerStride }
}
