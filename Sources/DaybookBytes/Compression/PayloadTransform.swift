/// A reversible rearrangement of a frame's payload that improves compression, for example by
/// storing the rows of a block column by column.
///
/// A module that interprets payloads implements the protocol. The log applies it without
/// interpreting the bytes.
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
}
