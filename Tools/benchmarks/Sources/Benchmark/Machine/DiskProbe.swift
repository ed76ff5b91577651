import Foundation

/// Measures the cost of an operation's writes on this disk without a database: the same number of
/// bytes, writes and syncs, in a file that is allocated in advance or in a growing file.
struct DiskProbe {
    /// The kind of file.
    enum Kind: String {
        case sizedAhead = "disk"
        case growing = "disk-growing"
    }

    /// The minimum amount of data that an operation must write.
    struct Load {
        /// The size of an object, or of the tombstone of a removed one.
        var objectBytes: Int
        var objectsPerWrite: Int
        var writeCount: Int
        var isSynced = true
    }

    let operation: Operation
    let n: Int
    let directory: String

    /// Measures the writes. Throws if a sync fails.
    func run(_ kind: Kind) throws -> ResultLine {
        guard let load = operation.load(n: n) else {
            throw BenchmarkError("\(operation.rawValue) writes nothing durable")
        }
        let path = directory + "/probe"
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
        guard descriptor >= 0 else { throw BenchmarkError("cannot open \(path)") }
        defer {
            close(descriptor)
            unlink(path)
        }
        let record = [UInt8](repeating: 0x5A, count: load.objectBytes * load.objectsPerWrite)
        if kind == .sizedAhead { try setSizeAhead(descriptor, load.writeCount * record.count) }
        var stopwatch = Stopwatch()
        try stopwatch.time {
            for index in 0..<load.writeCount {
                guard
                    pwrite(descriptor, record, record.count, index * record.count) == record.count,
                    !load.isSynced || Self.sync(descriptor) == 0
                else { throw BenchmarkError("the disk refuses: errno \(errno)") }
            }
        }
        var line = ResultLine(
            peer: kind.rawValue, operation, n: n, ops: load.writeCount * load.objectsPerWrite)
        line.note(stopwatch, 0, directory: directory)
        return line
    }

    /// Writes zeros instead of calling `fallocate`, because the first write to a reserved block
    /// costs more than later writes. Writes page by page, because Linux keeps data that is written
    /// in one call in large pieces of memory, and a small write into such a piece takes four times
    /// as long.
    private func setSizeAhead(_ descriptor: Int32, _ length: Int) throws {
        let zeros = [UInt8](repeating: 0, count: 4096)
        for offset in stride(from: 0, to: length, by: zeros.count) {
            let count = min(zeros.count, length - offset)
            guard pwrite(descriptor, zeros, count, offset) == count else {
                throw BenchmarkError("no room for the probe")
            }
        }
        guard fsync(descriptor) == 0 else { throw BenchmarkError("the disk refuses") }
    }

    private static func sync(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
        fcntl(descriptor, F_FULLFSYNC)
        #else
        fdatasync(descriptor)
        #endif
    }
}

extension Operation {
    /// The writes that a probe of the disk performs for the operation; nil if it writes nothing.
    func load(n: Int) -> DiskProbe.Load? {
        let many = Measurement<DaybookPeer>.transactionCount
        return switch self {
        case .putSingleDurable: .init(objectBytes: 160, objectsPerWrite: 1, writeCount: 2_000)
        case .putSingleRelaxed:
            .init(objectBytes: 160, objectsPerWrite: 1, writeCount: 100_000, isSynced: false)
        case .putBulk: .init(objectBytes: 72, objectsPerWrite: many, writeCount: max(1, n / many))
        case .updateBulk:
            .init(
                objectBytes: 72, objectsPerWrite: many,
                writeCount: Measurement<DaybookPeer>.changeCount / many)
        case .removeBulk:
            .init(
                objectBytes: 8, objectsPerWrite: many,
                writeCount: Measurement<DaybookPeer>.changeCount / many)
        default: nil
        }
    }
}
