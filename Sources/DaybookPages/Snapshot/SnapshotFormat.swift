/// All offsets, lengths and numbers of the snapshot format, for writer and reader. They are part of
/// the file format: never renumber. `Internals/SnapshotFormat.md` has the diagram.
enum SnapshotFormat {
    /// "DAYPAGES", the first and the last eight bytes.
    static let magic: UInt64 = 0x5345_4741_5059_4144
    /// The version that this release writes, and the newest that it reads.
    static let version: UInt32 = 1

    enum Header {
        static let magic = 0
        static let version = 8
        static let pageSize = 12
        static let sequence = 16
        static let catalog = 24
        /// Zeros up to the checksum, reserved for later releases.
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
        /// Repeats the header's checksum, so that the header and the trailer of different files do
        /// not match.
        static let headerChecksum = 56
        /// XXH64 of all bytes before it.
        static let checksum = 64
        static let magic = 72
        static let length = 80
    }

    /// The maximum raw length of a group: 16 pages of 254 entries with two numbers of 10 bytes.
    static let groupRawLengthMax = 1 << 17
    /// The maximum stored length of a group. Incompressible bytes grow by less than a hundredth.
    static let groupStoredLengthMax = 2 * groupRawLengthMax
    /// The maximum number of older files with groups of a snapshot: a file number has one byte.
    static let baseCountMax = 255
    /// The maximum raw length of the directory: 2^22 entries of up to 32 bytes.
    static let directoryRawLengthMax = 1 << 28
    static let directoryStoredLengthMax = 2 * directoryRawLengthMax
    /// The maximum length of the caller's metadata. Schemas of some thousand entities take a few
    /// MiB.
    static let metadataLengthMax = 1 << 26
    /// The highest sequence of a version. As many sequences remain for later transactions.
    static let sequenceMax = UInt64(Int64.max)
}
