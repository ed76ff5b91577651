import Foundation

/// One measurement, as a line of JSON with the same fields as the other peers' programs.
struct ResultLine: Codable {
    var peer: String
    var op: String
    /// The number of objects in the database before the operation.
    var n: Int
    /// The number of measured operations.
    var ops: Int
    var seconds = 0.0
    var cpu_s = 0.0
    var ops_per_s = 0.0
    var peak_rss_mb = 0.0
    var rss_anon_mb = 0.0
    var disk_mb = 0.0
    /// The data that the process passed to the operating system, in MiB.
    var written_mb = 0.0
    /// The checksum of the objects read, in hexadecimal; zero if nothing was read.
    var check = String(repeating: "0", count: 16)

    init(peer: String, _ operation: Operation, n: Int, ops: Int) {
        self.peer = peer
        op = operation.rawValue
        self.n = n
        self.ops = ops
    }

    /// Stores the times and the memory usage of the process.
    mutating func note(_ stopwatch: Stopwatch, _ checksum: UInt64, directory: String) {
        seconds = stopwatch.wallSeconds
        cpu_s = stopwatch.cpuSeconds
        ops_per_s = seconds > 0 ? Double(ops) / seconds : 0
        peak_rss_mb = ProcessMemory.peakMebibytes
        rss_anon_mb = ProcessMemory.anonymousMebibytes
        written_mb = ProcessOutput.writtenMebibytes
        disk_mb = DiskUsage.mebibytes(of: directory)
        let digits = String(checksum, radix: 16)
        check = String(repeating: "0", count: 16 - digits.count) + digits
    }

    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
