import Foundation

/// State of the machine that affects the next measurement.
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
}
