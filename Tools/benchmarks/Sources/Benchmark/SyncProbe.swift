import Foundation

/// What one durable write costs this disk, with no database: a small write and an fdatasync, in a
/// file whose size was set ahead and in one that grows.
struct SyncProbe {
    /// How the file is kept.
    enum Kind: String {
        case sizedAhead = "disk"
        case growing = "disk-growing"
    }

    let directory: String
    let n: Int

    /// Measures one of the two. A sync that fails makes the probe fail.
    func run(_ kind: Kind, count: Int = 2_000, recordBytes: Int = 160) throws -> ResultLine {
        let path = directory + "/probe"
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
        guard descriptor >= 0 else { throw BenchmarkError("cannot open \(path)") }
        defer {
            close(descriptor)
            unlink(path)
        }
        if kind == .sizedAhead { try setSizeAhead(descriptor, count * recordBytes) }
        let record = [UInt8](repeating: 0x5A, count: recordBytes)
        var stopwatch = Stopwatch()
        try stopwatch.time {
            for index in 0..<count {
                guard pwrite(descriptor, record, recordBytes, index * recordBytes) == recordBytes,
                    Self.sync(descriptor) == 0
                else { throw BenchmarkError("the disk refuses: errno \(errno)") }
            }
        }
        var line = ResultLine(peer: kind.rawValue, .putSingleDurable, n: n, ops: count)
        line.note(stopwatch, 0, directory: directory)
        return line
    }

    private func setSizeAhead(_ descriptor: Int32, _ length: Int) throws {
        let zeros = [UInt8](repeating: 0, count: length)
        guard pwrite(descriptor, zeros, length, 0) == length, fsync(descriptor) == 0 else {
            throw BenchmarkError("no room for the probe")
        }
    }

    private static func sync(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
        fcntl(descriptor, F_FULLFSYNC)
        #else
        fdatasync(descriptor)
        #endif
    }
}
