import DaybookBytes

/// A prefix of index keys, for lookups.
///
/// The keys from ``bytes`` to ``end(of:)`` are the keys with this prefix, in unique and other
/// indexes.
package struct IndexProbe: Sendable, Hashable {
    /// The prefix: at most ``IndexKey/lengthMax`` bytes, the stored part of a key.
    package var bytes: [UInt8] {
        isWhole ? written : Array(written.prefix(IndexKey.lengthMax))
    }

    private var written: [UInt8] = []

    package init() {}

    /// Creates a probe for a word, or for words with a prefix, in a text index. The word is folded,
    /// as returned by ``TextWords``.
    package init(word: String, isPrefix: Bool) {
        written = Array(word.utf8)
        if !isPrefix { written.append(0) }
    }

    /// Whether the bytes are complete. Otherwise, matching keys may belong to other values, so the
    /// caller has to check the objects.
    package var isWhole: Bool { written.count <= IndexKey.lengthMax }

    /// The hash of the key in a hash index. The probe must contain all properties of the index.
    package var hash: UInt64 { XXH64.hash(written.span) }

    /// Appends null for the next property.
    package mutating func appendNull() { written.append(IndexKeyWriter.null) }

    /// Appends the value of the next property in the encoding of rows: fixed-width values in
    /// little-endian order, others as their bytes. Missing bytes read as zero.
    package mutating func append(_ value: Span<UInt8>, _ type: FieldType) {
        var writer = IndexKeyWriter()
        writer.append(value: value, type)
        written.append(contentsOf: writer.key.bytes)
    }

    /// Appends a prefix of a text or bytes value, which ends the probe.
    package mutating func append(prefix: Span<UInt8>) {
        var writer = IndexKeyWriter()
        writer.append(prefix: prefix)
        written.append(contentsOf: writer.key.bytes)
    }

    /// The lower bound of the keys after all keys with prefix `bytes`; nil if there is none.
    package static func end(of bytes: [UInt8]) -> [UInt8]? {
        guard let last = bytes.lastIndex(where: { $0 < 0xFF }) else { return nil }
        var end = Array(bytes[...last])
        end[last] += 1
        return end
    }
}
