/// A rearrangement of a frame's payload that makes it compress better, and that can be undone: the
/// fields of a block's rows side by side, for one.
///
/// Whoever knows what the bytes mean provides one; whoever compresses applies it without knowing.
package protocol PayloadTransform: Sendable {
    /// The payload rearranged, or nil where it is of another kind or nothing would be gained.
    func forward(_ payload: Span<UInt8>) -> [UInt8]?

    /// The payload that ``forward(_:)`` was given, of exactly `rawLength` bytes.
    ///
    /// - Throws: `.corruption` where the bytes are none that `forward` could have made; no input
    ///   traps, and no more than `rawLength` bytes are allocated for the result.
    func inverse(_ stored: Span<UInt8>, rawLength: Int) throws(DaybookError) -> [UInt8]
}
