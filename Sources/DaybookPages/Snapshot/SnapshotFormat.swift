/// Every offset, length and number of the snapshot format, for writer and reader. Never renumber:
/// these stand in files. The diagram is in `Internals/SnapshotFormat.md`.
enum SnapshotFormat {
    /// "DAYPAGES", the first and the last eight bytes.
    static let magic: UInt64 = 0x5345_4741_5059_4144
    /// What this release writes, and the newest it reads.
    static let version: UInt32 = 1

    enum Header {
        static let magic = 0
        static let version = 8
        static let pageSize = 12
        static let sequence = 16
        static let catalog = 24
        /// Zeros up to the checksum, for later releases.
        static let reserved = 28
        /// XXH64 of all bytes before it.
        static let checksum = 56
        static let length = 64
    }

    enum Trailer {
        static let metadataOffset = 0
        static let metadataLength = 8
        static let metadataChecksum = 16
        static let directoryOffset = 24
        static let directoryStoredLength = 32
        static let directoryRawLength = 40
        static let directoryChecksum = 48
        /// The header's checksum again, so that a header and a trailer of two files do not match.
        static let headerChecksum = 56
        /// XXH64 of all bytes before it.
        static let checksum = 64
        static let magic = 72
        static let length = 80
    }

    /// No group is longer before compression: 16 pages of 254 entries with two numbers of 10 bytes.
    static let groupRawLengthMax = 1 << 17
    /// No group is longer in the file: what does not compress grows by less than a hundredth.
    static let groupStoredLengthMax = 2 * groupRawLengthMax
    /// No directory is longer before compression: 2^22 entries of up to 25 bytes.
    static let directoryRawLengthMax = 1 << 27
    static let directoryStoredLengthMax = 2 * directoryRawLengthMax
    /// What the engine may give along: schemas of some thousand entities take a few MiB.
    static let metadataLengthMax = 1 << 26
    /// The highest sequence of a version. As many again are left for the transactions after it.
    static let sequenceMax = UInt64(Int64.max)
}
