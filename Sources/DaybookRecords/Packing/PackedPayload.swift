package import DaybookBytes

/// A payload in the packed form, from which records are decoded one by one.
package final class PackedPayload: PackedRecords {
    private let stored: [UInt8]
    private let tokens: TokenTable?
    package let rawLength: Int
    package let memoryBytes: Int

    /// - Parameter tokens: the table of the coded texts; nil if there is none.
    package init(_ stored: [UInt8], rawLength: Int, tokens: TokenTable?) {
        self.stored = stored
        self.rawLength = rawLength
        self.tokens = tokens
        memoryBytes = stored.capacity + Self.overheadBytes
    }

    /// The memory of this object, as malloc rounds it.
    private static let overheadBytes = 64

    private var decoder: TokenDecoder { tokens?.decoder ?? TokenDecoder() }

    /// The record that starts at `offset` of the payload, encoded as there.
    ///
    /// Cost: about 2 ns for each record before it, and its decoding, some 0.3 µs. Throws
    /// `.corruption` if no record starts there, or for invalid bytes, and `.formatTooNew` for a
    /// format of a later release.
    package func record(at offset: Int) throws(DaybookError) -> [UInt8] {
        let bytes = stored
        var reader = try PackedReader(bytes.span, rawLength: rawLength)
        let place = try reader.place(at: offset)
        var record = [UInt8](repeating: 0, count: place.length)
        var target = record.mutableSpan
        try reader.decode(place, decoder, to: &target)
        return record
    }

    /// The whole payload.
    ///
    /// Cost: some 0.1 µs for each record. Throws `.corruption` for invalid bytes, and
    /// `.formatTooNew` for a format of a later release.
    package func payload() throws(DaybookError) -> [UInt8] {
        let bytes = stored
        var reader = try PackedReader(bytes.span, rawLength: rawLength)
        return try reader.payload(decoder)
    }
}
