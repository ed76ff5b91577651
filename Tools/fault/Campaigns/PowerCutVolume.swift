import DaybookBytes
import Foundation

/// An ext4 file system in a file on a loop device.
struct PowerCutVolume {
    let place: String
    let mountPoint: String
    private let device: String

    /// The missing requirement on this machine; nil if the campaign can run.
    static var missing: String? {
        #if os(Linux)
        guard getuid() == 0 else { return "it needs root" }
        for tool in ["losetup", "mkfs.ext4", "mount", "umount", "python3", "truncate"]
        where (try? run(["which", tool])) == nil { return "\(tool) is not installed" }
        guard (try? run(["losetup", "-f"])) != nil else { return "there is no loop device" }
        return nil
        #else
        return "it needs Linux"
        #endif
    }

    init() throws {
        place =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("daybook-powercut-\(ProcessIdentity.current)").path
        mountPoint = place + "/volume"
        try FileManager.default.createDirectory(
            atPath: mountPoint, withIntermediateDirectories: true)
        try Self.run(["truncate", "-s", "64M", place + "/image"])
        device = try Self.run(["losetup", "-f", "--show", place + "/image"])
        try Self.run(["mkfs.ext4", "-q", "-F", device])
        try powerUp()
    }

    /// Shuts the file system down: no further write reaches the disk, including the journal's data
    /// in memory. Returns the length of the file `words` just before the shutdown.
    ///
    /// Output of the child after that length does not count as acknowledged: a sync that runs
    /// during the shutdown may return success (also observed with plain `pwrite` and `fdatasync`
    /// beside a busy journal).
    func cutPower(watching words: String) throws -> Int {
        let program = """
            import fcntl, os, struct, sys
            volume = os.open(sys.argv[1], os.O_RDONLY)
            length = os.path.getsize(sys.argv[2])
            fcntl.ioctl(volume, 0x8004587d, struct.pack("I", 2))
            print(length)
            """
        return Int(try Self.run(["python3", "-c", program, mountPoint, words])) ?? 0
    }

    /// Mounts the volume again; the file system recovers from its journal.
    func powerUp() throws {
        if try isMounted() { try Self.run(["umount", mountPoint]) }
        try Self.run(["mount", "-t", "ext4", device, mountPoint])
    }

    /// Unmounts the volume and frees its resources.
    func remove() {
        _ = try? Self.run(["umount", mountPoint])
        _ = try? Self.run(["losetup", "-d", device])
        try? FileManager.default.removeItem(atPath: place)
    }

    private func isMounted() throws -> Bool {
        try String(contentsOfFile: "/proc/mounts", encoding: .utf8).contains(" \(mountPoint) ")
    }

    /// Runs a system command and returns the first line of its output. Throws its error message.
    @discardableResult
    private static func run(_ words: [String]) throws -> String {
        let process = Process()
        let (output, complaint) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardOutput = output
        process.standardError = complaint
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        let complained = complaint.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Violation(
                "\(words.joined(separator: " ")): \(String(decoding: complained, as: UTF8.self))")
        }
        return String(String(decoding: said, as: UTF8.self).prefix { $0 != "\n" })
    }
}
