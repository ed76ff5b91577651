import Foundation

/// What the process holds in memory, from /proc; zero where there is none.
enum ProcessMemory {
    /// The most that was ever resident, mapped files included, in MiB.
    static var peakMebibytes: Double { figure("VmHWM:") }
    /// What is resident now and belongs to no file, in MiB.
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
