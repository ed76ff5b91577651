/// The forms of a frame's payload that depend on its content.
///
/// A module that interprets payloads implements the protocol. The log applies it without
/// interpreting the bytes.
///
/// There are two forms. The rearranged form improves compression, for example by storing the rows
/// of a block column by column; it is restored as a whole. The packed form is not compressed, and
/// single records are decoded from it.
package protocol PayloadTransform: Sendable {
    /// Returns the rearranged payload, or nil if the payload is of another kind or would not
    /// shrink.
    func forward(_ payload: Span<UInt8>) -> [UInt8]?

    /// Restores the payload that was passed to ``forward(_:)``. The result has exactly `rawLength`
    /// bytes.
    ///
    /// - Throws: `.corruption` if `forward` cannot have produced the bytes. No input traps, and the
    ///   result never takes more than `rawLength` bytes.
    func inverse(_ stored: Span<UInt8>, rawLength: Int) throws(DaybookError) -> [UInt8]

    /// Returns the packed payload, or nil if the payload is of another kind or too long.
    ///
    /// - Parameter encoder: the encoder of the texts in the payload; nil to store them as they are.
    func pack(_ payload: Span<UInt8>, _ encoder: TokenEncoder?) -> [UInt8]?

    /// The records of a packed payload. They are checked when they are decoded.
    ///
    /// - Parameter tokens: the table of the encoder that was passed to ``pack(_:_:)``.
    func unpack(_ stored: [UInt8], rawLength: Int, tokens: TokenTable?) -> any PackedRecords

    /// Decodes the record that starts at `offset` of a packed payload, without an object for the
    /// payload.
    ///
    /// - Throws: `.corruption` if no record starts there, or for invalid bytes.
    func record(
        at offset: Int, ofPacked stored: Span<UInt8>, rawLength: Int, tokens: TokenTable?
    ) throws(DaybookError) -> [UInt8]

    /// The texts that ``pack(_:_:)`` would encode: a sample for the training of a table.
    func texts(of payload: Span<UInt8>) -> PayloadTexts
}

/// Texts of a payload, one after another.
package struct PayloadTexts: Sendable {
    package var bytes: [UInt8] = []
    package var lengths: [Int] = []

    package init() {}

    package mutating func append(_ other: PayloadTexts) {
        bytes += other.bytes
        lengths += other.lengths
    }

    package mutating func append(_ text: Span<UInt8>) {
        bytes += text.array
        lengths.append(text.count)
    }
}
