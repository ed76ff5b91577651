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

    /// The next version of an object, or the next commit record; nil at the end of the payload.
    ///
    /// Other records are skipped by their lengths, and their content is not checked. Cost: a few
    /// nanoseconds for each. Throws like ``next()``.
    package mutating func nextVersion(
        of entity: UInt32, _ id: UInt64
    ) throws(DaybookError) -> Record? {
        var start = offset
        while start < payload.count {
            var position = start
            let end = try Record.recordEnd(in: payload, &position)
            let isWanted = try Record.isCommitOrVersion(
                of: entity, id, in: payload, from: start, body: position, end: end)
            if isWanted,
                let record = try Record.parse(payload, from: start, body: position, end: end)
            {
                offset = end
                return record
            }
            start = end
        }
        offset = start
        return nil
    }

    /// The next commit record; nil at the end of the payload. See ``nextVersion(of:_:)`` for cost
    /// and errors.
    package mutating func nextCommit() throws(DaybookError) -> Record? {
        // No entity has the number 0.
        try nextVersion(of: 0, 0)
    }
}
