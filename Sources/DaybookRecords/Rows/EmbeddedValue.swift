package import DaybookBytes

/// The parts of an embedded value: a row inside a row, after the number of its layout.
package struct EmbeddedValue: Sendable, Equatable {
    package let layout: UInt32
    /// The range of the row in the value.
    package let row: Range<Int>

    /// Throws `.corruption` if there is no layout number.
    package init(_ bytes: Span<UInt8>) throws(DaybookError) {
        var reader = ByteReader(bytes)
        guard let layout = UInt32(exactly: try reader.varint()), layout > 0 else {
            throw DaybookError(
                .corruption,
                "An embedded value is damaged: it names no layout. Restore the store from a backup."
            )
        }
        self.layout = layout
        row = reader.offset..<bytes.count
    }

    /// Writes an embedded value.
    package static func write(
        _ row: Span<UInt8>, layout: UInt32, to writer: inout ByteWriter
    ) {
        writer.varint(UInt64(layout))
        writer.append(row)
    }
}
