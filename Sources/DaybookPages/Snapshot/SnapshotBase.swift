package import DaybookBytes

/// An older file of which a snapshot uses groups of pages.
///
/// The length and the checksum recognize another file with the same name.
package struct SnapshotBase: Sendable, Hashable {
    /// The name that the caller gave the file.
    package let name: String
    /// The length of the file in bytes.
    package let length: Int
    /// The checksum of the file's trailer, which depends on each byte of the file.
    let checksum: UInt64

    /// Whether a file is that file. Damage is found later, when a group is read. Cost: a read of
    /// the trailer.
    package func matches(_ file: any File) throws(DaybookError) -> Bool {
        typealias Trailer = SnapshotFormat.Trailer
        guard length >= SnapshotFormat.Header.length + Trailer.length, try file.size() == length
        else { return false }
        let bytes = try file.read(Trailer.length, at: length - Trailer.length)
        guard bytes.count == Trailer.length else { return false }
        return XXH64.hash(bytes.span.extracting(0..<Trailer.checksum)) == checksum
            && bytes.span.loadLittleEndian(UInt64.self, at: Trailer.checksum) == checksum
            && bytes.span.loadLittleEndian(UInt64.self, at: Trailer.magic) == SnapshotFormat.magic
    }

    /// The error for a snapshot that uses a file that does not exist or is another one.
    package func isMissing(_ cause: DaybookError? = nil) -> DaybookError {
        DaybookError(
            .corruption,
            "The snapshot uses pages of \(name), which is missing or was replaced. The indexes can "
                + "be rebuilt from an older snapshot or from the log.", cause: cause,
            details: ["snapshot": "base", "file": name])
    }
}

/// An open file with groups of pages.
struct SnapshotFile: Sendable {
    let file: any File
    /// The description of the file as a base of later snapshots.
    let base: SnapshotBase
}
