import DaybookBytes

/// A frame in the cache: its payload, or the packed form of it, which takes a third of the memory
/// and from which a single record is decoded at each read.
enum CachedFrame: Sendable {
    case inflated(InflatedFrame)
    case packed(any PackedRecords)

    /// The length of the whole payload.
    var rawLength: Int {
        switch self {
        case .inflated(let frame): frame.bytes.count
        case .packed(let records): records.rawLength
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
