internal import DaybookBytes

/// How entries of a fixed size lie in the pages of a tree.
///
/// A leaf holds entries of key and value, an inner page entries of key and child page, side by side
/// and in the order of keys. The key of a child is no greater than any key below it, and greater
/// than any key below the child before.
protocol FixedLayout {
    associatedtype Key: FixedWidthInteger & UnsignedInteger & BitwiseCopyable & Sendable
    associatedtype Value: BitwiseCopyable & Sendable

    static var kind: PageKind { get }

    /// Where in an inner page a key most likely belongs, if that can be told without searching.
    static func guessChild(_ page: FixedInner<Self>, _ key: Key) -> Int?

    /// How far the index of a key can be from the first entry's, at most.
    static func distanceMax(_ key: Key, from first: Key) -> Int

    /// Keeps what `guessChild` needs; called after the entries of an inner page changed.
    static func prepareGuess(_ page: FixedInner<Self>)

    /// Writes the keys of a page for a snapshot, and reads them: as differences, a column for each
    /// word.
    static func encodeKeys(_ count: Int, to writer: inout ByteWriter, _ key: (Int) -> Key)
    static func decodeKeys(
        _ count: Int, from reader: inout ByteReader, _ take: (Int, Key) -> Void
    ) throws(DaybookError)

    /// Writes the values of a leaf for a snapshot, and reads them.
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
