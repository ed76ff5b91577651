import Foundation

/// The memory of the process, from /proc; zero on systems without it.
enum ProcessMemory {
    /// The peak resident memory, including mapped files, in MiB.
    static var peakMebibytes: Double { figure("VmHWM:") }
    /// The current resident memory that belongs to no file, in MiB.
    static var anonymousMebibytes: Double { figure("RssAnon:") }

    private static func figure(_ name: String) -> Double {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
            return 0
        }
        for line in status.split(separator: "\n") where line.hasPrefix(name) {
            let kibibytes = line.dropFirst(name.count).split { !$0.isNumber }.first
            return (kibibytes.flatMap { Double($0) } ?? 0) / 1024
        }
        return 0
    }
}
