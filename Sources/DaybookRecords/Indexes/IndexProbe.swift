import DaybookBytes

/// The bytes with which keys of an index begin: what is looked for in it.
///
/// The keys between ``bytes`` and ``end(of:)`` of them are those that begin so, in an index that
/// lets no two objects agree as well as in one that does.
package struct IndexProbe: Sendable, Hashable {
    /// The beginning of keys: at most ``IndexKey/lengthMax`` bytes, for no more of a key is kept.
    package var bytes: [UInt8] {
        isWhole ? written : Array(written.prefix(IndexKey.lengthMax))
    }

    private var written: [UInt8] = []

    package init() {}

    /// What leads to a word, or to those that begin with it, in an index of words. The word is
    /// folded, as ``TextWords`` gives it.
    package init(word: String, isPrefix: Bool) {
        written = Array(word.utf8)
        if !isPrefix { written.append(0) }
    }

    /// Whether the bytes are all there is to say. Else keys that begin with them may be those of
    /// other values: who asks for these looks at the objects themselves.
    package var isWhole: Bool { written.count <= IndexKey.lengthMax }

    /// What stands for the key in an index of hashes; the probe has a value, or none, of each of
    /// the index's properties.
    package var hash: UInt64 { XXH64.hash(written.span) }

    /// The next property has no value.
    package mutating func appendNull() { written.append(IndexKeyWriter.null) }

    /// The next property has a value, given as rows hold it: fixed-width values in little-endian
    /// order, others as their bytes. Bytes that are too few are read as zero.
    package mutating func append(_ value: Span<UInt8>, _ type: FieldType) {
        var writer = IndexKeyWriter()
        writer.append(value: value, type)
        written.append(contentsOf: writer.key.bytes)
    }

    /// The next property is a text, or bytes, that begins so. The last of a probe.
    package mutating func append(prefix: Span<UInt8>) {
        var writer = IndexKeyWriter()
        writer.append(prefix: prefix)
        written.append(contentsOf: writer.key.bytes)
    }

    /// The first bytes behind all keys that begin with `bytes`; nil where there is no key behind.
    package static func end(of bytes: [UInt8]) -> [UInt8]? {
        guard let last = bytes.lastIndex(where: { $0 < 0xFF }) else { return nil }
        var end = Array(bytes[...last])
        end[last] += 1
        return end
    }
}
