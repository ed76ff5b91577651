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

    /// The record that starts at `offset` of the payload, encoded as there.
    ///
    /// Cost: about 2 ns for each record before it, and its decoding, some 0.3 µs. Throws
    /// `.corruption` if no record starts there, or for invalid bytes, and `.formatTooNew` for a
    /// format of a later release.
    package func record(at offset: Int) throws(DaybookError) -> [UInt8] {
        let bytes = stored
        return try Self.record(
            at: offset, of: bytes.span, rawLength: rawLength, tokens: tokens)
    }

    /// The record that starts at `offset` of the payload with the packed form `stored`. Cost and
    /// errors: those of ``record(at:)``.
    package static func record(
        at offset: Int, of stored: Span<UInt8>, rawLength: Int, tokens: TokenTable?
    ) throws(DaybookError) -> [UInt8] {
        var reader = try PackedReader(stored, rawLength: rawLength)
        let place = try reader.place(at: offset)
        var record = [UInt8](repeating: 0, count: place.length)
        var target = record.mutableSpan
        try reader.decode(place, tokens?.decoder ?? TokenDecoder(), to: &target)
        return record
    }

    /// The whole payload.
    ///
    /// Cost: some 0.1 µs for each record. Throws `.corruption` for invalid bytes, and
    /// `.formatTooNew` for a format of a later release.
    package func payload() throws(DaybookError) -> [UInt8] {
        let bytes = stored
        var reader = try PackedReader(bytes.span, rawLength: rawLength)
        return try reader.payload(tokens?.decoder ?? TokenDecoder())
    }
}
