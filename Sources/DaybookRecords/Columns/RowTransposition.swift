package import DaybookBytes

/// Rearranges a payload of records so that equal fields stand side by side, where they compress
/// into half the bytes.
///
/// Numbers are packed, differences taken where they are smaller, decimal fractions turned into
/// whole numbers and strings of few spellings into indexes; texts are concatenated field by field.
/// The inverse gives back every byte and needs no schema.
package struct RowTransposition: PayloadTransform {
    private let layouts: [RowLayout]

    /// Knows the layouts of `schema`; rows of others stay as they are.
    package init(_ schema: Schema) { layouts = schema.layouts.map { RowLayout($0) } }

    /// The payload, rearranged; nil when it is not made of records that this release can read, or
    /// of too few to gain anything.
    package func forward(_ payload: Span<UInt8>) -> [UInt8]? {
        guard payload.count <= Int32.max else { return nil }
        var grouping = RecordGrouping(layouts: layouts)
        guard (try? grouping.add(payload)) != nil,
            grouping.sequence.count >= TranspositionFormat.recordCountMin
        else { return nil }
        var writer = TranspositionWriter()
        return writer.write(grouping, of: payload, layouts: layouts)
    }

    /// The payload that ``forward(_:)`` was given, `rawLength` bytes.
    ///
    /// Throws `.corruption` for bytes that are no transposed payload of that length,
    /// `.formatTooNew` for one of a later release. Memory and time are bounded by `rawLength`.
    package func inverse(
        _ stored: Span<UInt8>, rawLength: Int
    ) throws(DaybookError) -> [UInt8] {
        var reader = try TranspositionReader(stored, rawLength: rawLength)
        return try reader.payload()
    }
}
