import Foundation

/// The data that the process has written, from /proc; zero on systems without it.
enum ProcessOutput {
    /// The bytes that the process passed to the operating system with write calls, in MiB. Data
    /// that it wrote through a mapping is not included.
    static var writtenMebibytes: Double {
        guard let counters = try? String(contentsOfFile: "/proc/self/io", encoding: .utf8) else {
            return 0
        }
        for line in counters.split(separator: "\n") where line.hasPrefix("wchar:") {
            let bytes = line.dropFirst("wchar:".count).split { !$0.isNumber }.first
            return (bytes.flatMap { Double($0) } ?? 0) / 1_048_576
        }
        return 0
    }
}
