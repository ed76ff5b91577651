import Foundation

/// What the machine remembers from one measurement to the next.
enum MachineState {
    /// Writes out what others left in memory, so that nobody pays for it in a sync.
    static func flush() { sync() }

    /// Makes the operating system forget the contents of files. False where it is not allowed.
    static func dropCaches() -> Bool {
        sync()
        guard let file = FileHandle(forWritingAtPath: "/proc/sys/vm/drop_caches") else {
            return false
        }
        return (try? file.write(contentsOf: Data("3\n".utf8))) != nil
    }
}
