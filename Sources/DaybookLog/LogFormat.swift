import DaybookBytes

/// Numbers of the file format that encoders and decoders share. Each type's encoder and decoder
/// define the order of its fields. Never renumber, because old stores must stay readable.
/// `Internals/FileFormat.md` has the diagrams. All numbers are little-endian.
package enum LogFormat {
    /// The format that this release writes.
    package static let version: UInt16 = 1
    /// The oldest format whose reader can read the output of this release.
    package static let oldestReader: UInt16 = 1

    /// The alignment of frames and of the parts of a frame.
    static let alignment = 8

    /// The first 64 bytes of a segment.
    enum SegmentHeader {
        static let magic: UInt64 = 0x3147_4553_4B4F_4F42  // "BOOKSEG1"
        /// XXH64 of the bytes before; also the seed of the first frame's check.
        static let checkOffset = 56
        static let length = 64
    }

    /// The first 80 bytes of a frame. The payload, its zero padding to 8 bytes and the trailer
    /// follow.
    enum FrameHeader {
        static let magic: UInt32 = 0x4D52_4644  // "DFRM"
        static let magicOffset = 0
        /// Low half of XXH64 over bytes 8 ..< 80, seeded with store and segment.
        static let headerCheckOffset = 4
        static let length = 80
    }

    /// XXH64 of header and stored payload, seeded with the check of the previous frame.
    static let trailerLength = 8

    /// The dictionary of a compacted segment.
    enum Dictionary {
        /// The id in the headers of frames that need it. 0 means no dictionary.
        static let id: UInt16 = 1
        /// The maximum length. Longer ones are damaged.
        static let lengthMax = 1 << 20
    }

    enum Manifest {
        static let magic: UInt64 = 0x314E_414D_4B4F_4F42  // "BOOKMAN1"
        /// The length of the manifest, from the magic to the check.
        static let lengthOffset = 8
        /// The length of the fields that only serve to find the rest.
        static let headLength = 16
        static let checkLength = 8
        /// The length of magic, length, version and check.
        static let lengthMin = 28
        /// A bit of the flags: the store is a backup.
        static let backupFlag: UInt32 = 1
        /// The kinds of the record about the end of the log.
        static let openEnd: UInt8 = 0
        static let cleanClose: UInt8 = 1
        static let tailCopy: UInt8 = 2
    }

    /// The padding after a payload of `length` bytes.
    static func padding(after length: Int) -> Int { (alignment - length % alignment) % alignment }

    /// The length of a frame with a payload of `storedLength` bytes.
    static func frameLength(storedLength: Int) -> Int {
        FrameHeader.length + storedLength + padding(after: storedLength) + trailerLength
    }
}

/// The kind of a frame. Readers skip unknown kinds from 0x80 up; a newer release wrote any other
/// unknown kind. Part of the format: never renumber.
package enum FrameKind {
    package static let records: UInt8 = 1
    package static let seal: UInt8 = 2
    /// The dictionary of a compacted segment; its first frame.
    package static let dictionary: UInt8 = 3
    package static let skippableFrom: UInt8 = 0x80

    /// Whether a frame contains records. Throws `.formatTooNew` for a kind that no reader may skip.
    static func isRecords(_ kind: UInt8) throws(DaybookError) -> Bool {
        switch kind {
        case records: return true
        case seal, dictionary, skippableFrom...: return false
        default: throw .formatTooNew(found: LogFormat.version + 1, file: "a frame")
        }
    }
}

/// The encoding of a payload. Part of the format: never renumber.
package enum FrameCodec: UInt8, Sendable {
    case raw = 0
    case zstd = 1
    /// Rearranged by the log's ``PayloadTransform``, then zstd.
    case transformedZstd = 2
    /// Packed by the log's ``PayloadTransform``; the dictionary is a table of tokens.
    case packed = 3
}
