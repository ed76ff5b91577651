import Foundation

/// The machine: its processor, and the state that affects the next measurement.
enum MachineState {
    /// Writes all dirty pages to the disk, so that no later sync includes them.
    static func flush() { sync() }

    /// Drops the operating system's file cache. Returns false if that is not permitted.
    static func dropCaches() -> Bool {
        sync()
        guard let file = FileHandle(forWritingAtPath: "/proc/sys/vm/drop_caches") else {
            return false
        }
        return (try? file.write(contentsOf: Data("3\n".utf8))) != nil
    }

    /// The name of the processor; nil on systems without /proc.
    static var processor: String? {
        guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8) else {
            return nil
        }
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last.map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }
}
