package import DaybookBytes

/// A disk with unreadable sectors in one file. Reads of them fail, and so do writes that change a
/// part of one.
package struct BadSectors: ForwardingFileSystem {
    package static let sectorBytes = 4 << 10

    package let base: any FileSystem
    private let path: String
    private let sectors: Set<Int>

    package init(_ base: any FileSystem, path: String, sectors: Set<Int>) {
        self.base = base
        self.path = path
        self.sectors = sectors
    }

    package func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        let file = try base.open(path, mode)
        return path == self.path ? BadFile(base: file, path: path, sectors: sectors) : file
    }
}

private final class BadFile: ForwardingFile {
    let base: any File
    private let path: String
    private let sectors: Set<Int>

    init(base: any File, path: String, sectors: Set<Int>) {
        self.base = base
        self.path = path
        self.sectors = sectors
    }

    func read(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8] {
        try check("read", offset..<min(offset + count, max(offset, base.size())))
        return try base.read(count, at: offset)
    }

    func write(_ bytes: Span<UInt8>, at offset: Int) throws(DaybookError) {
        try check("write", offset..<(offset + bytes.count))
        try base.write(bytes, at: offset)
    }

    private func check(_ operation: String, _ range: Range<Int>) throws(DaybookError) {
        for sector in sectors {
            let start = sector * BadSectors.sectorBytes
            guard range.overlaps(start..<(start + BadSectors.sectorBytes)) else { continue }
            throw DaybookError(
                .inputOutput, "The system call failed on a bad sector of \(path).",
                details: ["operation": operation, "path": path])
        }
    }
}
