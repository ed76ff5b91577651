package import DaybookBytes

extension Schema {
    /// Reads what ``encode(to:)`` wrote. Throws `.corruption`, or `.formatTooNew` for a type of
    /// field that this release does not know.
    package init(from reader: inout ByteReader) throws(DaybookError) {
        self.init()
        for _ in 0..<(try reader.length()) { try add(try EntityLayout(from: &reader)) }
    }

    /// Writes all layouts, for snapshots and manifests: the same schema always gives the same
    /// bytes.
    package func encode(to writer: inout ByteWriter) {
        writer.varint(UInt64(layouts.count))
        for layout in layouts { layout.encode(to: &writer) }
    }
}
