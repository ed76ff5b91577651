package import DaybookBytes

/// A frame as the cache keeps it: its payload, or the packed form of it, which takes a third of the
/// memory and from which a single record is decoded at each read.
package enum CachedFrame: Sendable {
    case inflated(InflatedFrame)
    case packed(any PackedRecords)

    /// The length of the whole payload.
    var rawLength: Int {
        switch self {
        case .inflated(let frame): frame.bytes.count
        case .packed(let records): records.rawLength
        }
    }

    /// The bytes of memory that the frame takes.
    package var memoryBytes: Int {
        switch self {
        case .inflated(let frame): frame.bytes.capacity
        case .packed(let records): records.memoryBytes
        }
    }

    /// Bytes that contain the record at `offset` of the payload, and its offset in them: the
    /// payload, or the record alone.
    ///
    /// Throws `.corruption` if no record of a packed frame starts there, or for invalid bytes.
    package func record(
        at offset: Int
    ) throws(DaybookError) -> (payload: [UInt8], offset: Int) {
        switch self {
        case .inflated(let frame): (frame.bytes, offset)
        case .packed(let records): (try records.record(at: offset), 0)
        }
    }

    /// The whole payload.
    ///
    /// Throws `.corruption` for invalid bytes in the packed form.
    var payload: InflatedFrame {
        get throws(DaybookError) {
            switch self {
            case .inflated(let frame): frame
            case .packed(let records): InflatedFrame(bytes: try records.payload())
            }
        }
    }
}
