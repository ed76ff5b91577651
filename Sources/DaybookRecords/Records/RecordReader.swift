package import DaybookBytes

/// Reads the records of a payload from front to back.
package struct RecordReader: ~Escapable {
    private let payload: Span<UInt8>
    /// Where the next record begins.
    package private(set) var offset: Int

    /// Starts at `offset`, which must be where a record begins, or the end.
    @_lifetime(copy payload)
    package init(_ payload: Span<UInt8>, from offset: Int = 0) {
        self.payload = payload
        self.offset = offset
    }

    /// The next record, or nil at the end of the payload. Skips records of unknown kinds above
    /// 0x7F.
    ///
    /// Throws `.corruption` for invalid bytes, `.formatTooNew` for a kind that this release cannot
    /// read. After an error the reader is at the same position as before.
    package mutating func next() throws(DaybookError) -> Record? {
        guard offset >= 0, offset <= payload.count else {
            throw Record.damaged("no record begins there", at: offset)
        }
        var start = offset
        while start < payload.count {
            var position = start
            let end = try Record.recordEnd(in: payload, &position)
            if let record = try Record.parse(payload, from: start, body: position, end: end) {
                offset = end
                return record
            }
            start = end
        }
        offset = start
        return nil
    }
}
