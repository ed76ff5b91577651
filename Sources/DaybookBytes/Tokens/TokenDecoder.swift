/// The part of a table of tokens that decoding reads.
///
/// A decoder is a value of its own, so that a loop over many texts neither retains the table nor
/// counts its references: a weak reference to the table makes each count several times as slow.
package struct TokenDecoder: Sendable {
    /// The number of first bytes that are a whole code. The others begin a code of two bytes.
    let oneByteCount: Int
    /// The tokens in the order of their codes, each one padded with zeros: 16 bytes in memory.
    let values: [UInt128]
    /// The lengths of the tokens in bytes.
    let lengths: [UInt8]

    init(oneByteCount: Int, values: [UInt128], lengths: [UInt8]) {
        self.oneByteCount = oneByteCount
        self.values = values
        self.lengths = lengths
    }

    /// A decoder without a table, for which every code is damage.
    package init() { self.init(oneByteCount: 0, values: [], lengths: []) }

    /// Decodes one encoded string, all of `stored`, into `target` from `place` on.
    ///
    /// A token is copied as 16 bytes where there is room, so bytes between the returned end and
    /// `limit` may change. Bytes before `place`, at `limit` and after it never change. The cost is
    /// some nanoseconds for each code, without an allocation.
    ///
    /// - Parameter limit: the end of the room for the decoded bytes, at most `target.count`.
    /// - Returns: the offset after the last decoded byte.
    /// - Throws: `.corruption` if the decoded bytes do not fit before `limit`, or if a code is cut
    ///   or has no token; also unless 0 ≤ `place` ≤ `limit` ≤ `target.count`.
    package func decode(
        _ stored: Span<UInt8>, to target: inout MutableSpan<UInt8>, at place: Int, limit: Int
    ) throws(DaybookError) -> Int {
        guard place >= 0, place <= limit, limit <= target.count else {
            throw DaybookError(
                .corruption,
                "The encoded text is damaged: its place \(place) to \(limit) is not within "
                    + "\(target.count) bytes. Restore it from a backup.")
        }
        let oneByteCount = oneByteCount
        let tokenCount = lengths.count
        // SAFETY: `read` is below `source.count` at each load of a code, `token` is below the
        // number of the values and lengths, which are equal, and each store ends at or before
        // `limit`, which is at most the size of the target.
        let end = unsafe target.withUnsafeMutableBytes { target in
            unsafe stored.withUnsafeBytes { source in
                unsafe values.withUnsafeBytes { values in
                    unsafe lengths.withUnsafeBufferPointer { lengths in
                        var read = 0
                        var written = place
                        while read < source.count {
                            var token = Int(unsafe source[read])
                            read &+= 1
                            if token >= oneByteCount {
                                guard read < source.count else { return Self.cut }
                                token =
                                    oneByteCount &+ (token &- oneByteCount) &<< 8
                                    &+ Int(unsafe source[read])
                                read &+= 1
                                guard token < tokenCount else { return Self.missing }
                            }
                            let length = Int(unsafe lengths[token])
                            let room = limit &- written
                            if room >= TokenTable.tokenLengthMax {
                                let value = unsafe values.loadUnaligned(
                                    fromByteOffset: token &<< 4, as: UInt128.self)
                                unsafe target.storeBytes(
                                    of: value, toByteOffset: written, as: UInt128.self)
                            } else {
                                guard length <= room else { return Self.tooLong }
                                for index in 0..<length {
                                    unsafe target[written &+ index] =
                                        values[token &<< 4 &+ index]
                                }
                            }
                            written &+= length
                        }
                        return written
                    }
                }
            }
        }
        guard end >= 0 else { throw Self.damagedText(end) }
        return end
    }

    // The results of the loop that are no offsets.
    private static let cut = -1
    private static let missing = -2
    private static let tooLong = -3

    @inline(never)
    private static func damagedText(_ result: Int) -> DaybookError {
        let problem =
            switch result {
            case cut: "its last code is cut"
            case missing: "a code has no token in the table"
            default: "it is longer than the room for it"
            }
        return DaybookError(
            .corruption, "The encoded text is damaged: \(problem). Restore it from a backup.")
    }
}
