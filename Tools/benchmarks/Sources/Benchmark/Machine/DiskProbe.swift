import Foundation

/// What the writes of an operation cost this disk, with no database: as many bytes, in as many
/// writes and syncs, in a file whose size was set ahead or in one that grows.
struct DiskProbe {
    /// How the file is kept.
    enum Kind: String {
        case sizedAhead = "disk"
        case growing = "disk-growing"
    }

    /// The least that an operation can write.
    struct Load {
        /// What an object, or the mark of a removed one, takes.
        var objectBytes: Int
        var objectsPerWrite: Int
        var writeCount: Int
        var isSynced = true
    }

    let operation: Operation
    let n: Int
    let directory: String

    /// Measures it. A sync that fails makes the probe fail.
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

    /// Zeros and not `fallocate`: the first write to a reserved block costs more than the next.
    /// Page by page, for Linux keeps what was written in one piece in large pieces of memory, and
    /// a small write into such a piece takes four times as long.
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
    /// What a probe of the disk writes for it; nil for one that writes nothing.
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
