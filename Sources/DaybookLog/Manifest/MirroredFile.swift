import DaybookBytes

/// A small file that contains its content twice, so that one bad sector costs nothing.
///
/// Each copy is filled up with zeros to whole sectors. The second one begins in the middle of the
/// file, so it is found without the first one.
struct MirroredFile {
    /// At least the length of a sector of a disk.
    static let sectorBytes = 4 << 10

    let fileSystem: any FileSystem
    let path: String

    /// The bytes of a file with this content.
    static func bytes(of content: [UInt8]) -> [UInt8] {
        let rest = (sectorBytes - content.count % sectorBytes) % sectorBytes
        let copy = content + [UInt8](repeating: 0, count: rest)
        return copy + copy
    }

    /// The copies of a file: each is nil if it cannot be read.
    struct Copies: Equatable {
        /// Each copy with the zeros after it. The second one is nil, too, if it was not needed.
        var copies: [[UInt8]?]
        /// The error of the first copy that cannot be read.
        var failure: DaybookError?

        static func == (left: Copies, right: Copies) -> Bool { left.copies == right.copies }
    }

    /// Reads the copies up to the first one that satisfies the caller.
    ///
    /// Throws the errors of opening the file. A copy that cannot be read is no error.
    func read(until isEnough: ([UInt8]) -> Bool) throws(DaybookError) -> Copies {
        let file = try fileSystem.open(path, .read)
        defer { file.close() }
        let size = try file.size()
        let sectors = size / Self.sectorBytes
        // A file of another length has lost its second copy: its place is unknown.
        let isWhole = size > 0 && size % Self.sectorBytes == 0 && sectors % 2 == 0
        var found = Copies(copies: [nil, nil])
        for index in 0..<(isWhole ? 2 : 1) {
            let length = isWhole ? size / 2 : size
            do throws(DaybookError) {
                let copy = try file.read(length, at: index * length)
                found.copies[index] = copy
                if isEnough(copy) { break }
            } catch  where error.code == .inputOutput {
                found.failure = found.failure ?? error
            }
        }
        return found
    }

    /// Whether both copies have this content, and nothing else is in the file. An unreadable
    /// sector counts as damage.
    func contains(_ content: [UInt8]) -> Bool {
        (try? fileSystem.readAll(path)) == Self.bytes(of: content)
    }
}
