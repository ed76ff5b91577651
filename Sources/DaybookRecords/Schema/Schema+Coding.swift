package import DaybookBytes

extension Schema {
    /// Decodes a schema. Throws `.corruption`, or `.formatTooNew` for a field type that this
    /// release does not know.
    package init(from reader: inout ByteReader) throws(DaybookError) {
        self.init()
        for _ in 0..<(try reader.length()) { try add(try EntityLayout(from: &reader)) }
    }

    /// Encodes all layouts, for snapshots and manifests. The encoding is deterministic.
    package func encode(to writer: inout ByteWriter) {
        writer.varint(UInt64(layouts.count))
        for layout in layouts { layout.encode(to: &writer) }
    }
}
