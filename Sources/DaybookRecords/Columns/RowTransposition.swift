package import DaybookBytes

/// Transposes a payload of records, so that the values of each field are adjacent and compress to
/// half the size.
///
/// Numbers are bit-packed, delta-encoded if that is smaller, decimal fractions become integers,
/// repeated strings become indexes, and other strings are concatenated field by field. The inverse
/// restores every byte and needs no schema.
package struct RowTransposition: PayloadTransform {
    private let layouts: [RowLayout]

    /// Uses the layouts of `schema`; rows of other layouts stay uninterpreted.
    package init(_ schema: Schema) { layouts = schema.layouts.map { RowLayout($0) } }

    /// The transposed payload; nil if it contains anything but known records, or too few of them.
    package func forward(_ payload: Span<UInt8>) -> [UInt8]? {
        guard payload.count <= Int32.max else { return nil }
        var grouping = RecordGrouping(layouts: layouts)
        guard (try? grouping.add(payload)) != nil,
            grouping.sequence.count >= TranspositionFormat.recordCountMin
        else { return nil }
        var writer = TranspositionWriter()
        return writer.write(grouping, of: payload, layouts: layouts)
    }

    /// Restores a payload of `rawLength` bytes.
    ///
    /// Throws `.corruption` for invalid bytes or another length, and `.formatTooNew` for a format
    /// of a later release. `rawLength` bounds memory and time.
    package func inverse(
        _ stored: Span<UInt8>, rawLength: Int
    ) throws(DaybookError) -> [UInt8] {
        var reader = try TranspositionReader(stored, rawLength: rawLength)
        return try reader.payload()
    }
}
