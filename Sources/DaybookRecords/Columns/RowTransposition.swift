package import DaybookBytes

/// Transposes a payload of records, so that the values of each field are adjacent and compress to
/// half the size, or packs it, so that each record is read alone.
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

    /// The packed payload; nil if it contains anything but known records, or too few of them.
    package func pack(_ payload: Span<UInt8>, _ encoder: TokenEncoder?) -> [UInt8]? {
        guard let grouping = packable(payload) else { return nil }
        var writer = PackingWriter(encoder)
        return writer.write(grouping, of: payload, layouts: layouts)
    }

    /// The records of a packed payload, which is checked when they are decoded.
    package func unpack(
        _ stored: [UInt8], rawLength: Int, tokens: TokenTable?
    ) -> any PackedRecords {
        PackedPayload(stored, rawLength: rawLength, tokens: tokens)
    }

    /// Decodes one record of a packed payload.
    package func record(
        at offset: Int, ofPacked stored: Span<UInt8>, rawLength: Int, tokens: TokenTable?
    ) throws(DaybookError) -> [UInt8] {
        try PackedPayload.record(at: offset, of: stored, rawLength: rawLength, tokens: tokens)
    }

    /// The variable fields of the rows, and the tails of other records.
    package func texts(of payload: Span<UInt8>) -> PayloadTexts {
        var texts = PayloadTexts()
        guard let grouping = packable(payload) else { return texts }
        for group in grouping.groups {
            group.forEachVariable(in: payload, layouts) { starts, lengths in
                for (start, length) in zip(starts, lengths) {
                    texts.append(payload.extracting(Int(start)..<(Int(start) + Int(length))))
                }
            }
        }
        return texts
    }

    private func packable(_ payload: Span<UInt8>) -> RecordGrouping? {
        guard payload.count <= PackedFormat.payloadLengthMax else { return nil }
        var grouping = RecordGrouping(layouts: layouts)
        guard (try? grouping.add(payload)) != nil,
            grouping.sequence.count >= TranspositionFormat.recordCountMin
        else { return nil }
        return grouping
    }
}
