/// The numbers of the format on disk that encoders and decoders share; the order of fields stands
/// in each type's own two. Never renumber: old stores must open for ever. `Internals/FileFormat.md`
/// draws the bytes. All numbers are little-endian.
package enum LogFormat {
    /// The format that this code writes.
    package static let version: UInt16 = 1
    /// The oldest format whose reader can still read what this code writes.
    package static let oldestReader: UInt16 = 1

    /// Frames, payload paddings and headers begin at multiples of this.
    static let alignment = 8

    /// The first 64 bytes of a segment.
    enum SegmentHeader {
        static let magic: UInt64 = 0x3147_4553_4B4F_4F42  // "BOOKSEG1"
        /// XXH64 of the bytes before; also the seed of the first frame's check.
        static let checkOffset = 56
        static let length = 64
    }

    /// The first 64 bytes of a frame; the payload and its zero padding to 8 bytes follow, then the
    /// trailer.
    enum FrameHeader {
        static let magic: UInt32 = 0x4D52_4644  // "DFRM"
        static let magicOffset = 0
        /// Low half of XXH64 over bytes 8 ..< 64, seeded with store and segment.
        static let headerCheckOffset = 4
        static let length = 64
    }

    /// XXH64 over header and stored payload, seeded with the check of the frame before.
    static let trailerLength = 8

    enum Manifest {
        static let magic: UInt64 = 0x314E_414D_4B4F_4F42  // "BOOKMAN1"
        /// In the word of flags: the store is a backup.
        static let backupFlag: UInt32 = 1
    }

    /// Padding behind a payload of `length` bytes.
    static func padding(after length: Int) -> Int { (alignment - length % alignment) % alignment }

    /// What a frame with a payload of `storedLength` bytes takes in the segment.
    static func frameLength(storedLength: Int) -> Int {
        FrameHeader.length + storedLength + padding(after: storedLength) + trailerLength
    }
}

/// What a frame holds. Kinds from 0x80 up may be skipped by a reader that does not know them;
/// any other unknown kind was written by a newer release. Part of the format: never renumber.
package enum FrameKind {
    package static let records: UInt8 = 1
    package static let seal: UInt8 = 2
    package static let skippableFrom: UInt8 = 0x80
}

/// How a payload is stored. Part of the format: never renumber.
package enum FrameCodec: UInt8, Sendable {
    case raw = 0
    case zstd = 1
    /// Rearranged by the log's ``PayloadTransform``, then zstd.
    case transformedZstd = 2
}
