import DaybookBytes

/// CURRENT, which names the manifest in force.
///
/// It contains one line, twice: `daybook <manifest's name> <XXH64 of the manifest, 16 hex digits>`
/// and a line feed. The hash is stored outside the file that it covers, so a swapped manifest is
/// detected.
struct CurrentFile: Equatable {
    /// The name of a manifest and its hash.
    struct Line: Equatable {
        var manifest: String
        var hash: UInt64

        /// The line for a manifest with this content.
        init(_ name: String, _ content: [UInt8]) {
            manifest = name
            hash = XXH64.hash(content.span)
        }

        /// Parses the bytes up to the first line feed; nil for anything but a line.
        init?(_ bytes: [UInt8]) {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
                let text = try? String(checkingUTF8: bytes.span.extracting(0..<end))
            else { return nil }
            let parts = text.split(separator: " ", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0] == "daybook", parts[2].utf8.count == 16,
                case .manifest? = StoreFileName(String(parts[1])),
                let hash = UInt64(parts[2], radix: 16), Self.hex(hash) == parts[2]
            else { return nil }
            manifest = String(parts[1])
            self.hash = hash
        }

        var bytes: [UInt8] { Array("daybook \(manifest) \(Self.hex(hash))\n".utf8) }

        private static func hex(_ hash: UInt64) -> String {
            let digits = String(hash, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
    }

    /// Whether the directory has no such file.
    var isMissing = false
    /// The different lines of the intact copies. One of them may be damaged and still be a line.
    var lines: [Line] = []

    /// Reads the file. If no copy can be read, `lines` is empty.
    init(in directory: String, _ fileSystem: any FileSystem) throws(DaybookError) {
        let file = MirroredFile(
            fileSystem: fileSystem, path: directory + "/" + StoreFileName.current.text)
        do throws(DaybookError) {
            for copy in try file.read(until: { _ in false }).copies {
                guard let copy, let line = Line(copy), !lines.contains(line) else { continue }
                lines.append(line)
            }
        } catch  where error.code == .fileNotFound {
            isMissing = true
        }
    }

    /// Swaps the file: the commit point of every roll, seal, compaction and clean close.
    static func replace(
        by line: Line, in directory: String, _ fileSystem: any FileSystem
    ) throws(DaybookError) {
        let name = StoreFileName.current.text
        let temporary = try fileSystem.write(
            MirroredFile.bytes(of: line.bytes), beside: name, in: directory)
        try fileSystem.put(temporary, inPlaceOf: name, in: directory)
        do throws(DaybookError) {
            try fileSystem.syncDirectory(directory)
        } catch {
            throw DaybookError(
                .durabilityUnknown,
                "CURRENT in \(directory) was replaced, but the sync of that directory failed: it is"
                    + " unknown which manifest survives a power failure. Close the store and open"
                    + " it again.",
                cause: error, details: ["file": name, "path": directory])
        }
    }
}
