import DaybookBytes
import Foundation

/// An ext4 file system in a file, on a loop device.
struct PowerCutVolume {
    let place: String
    let mountPoint: String
    private let device: String

    /// What this machine lacks; nil where everything is there.
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

    /// From now on nothing more reaches the disk, not even what the journal holds in memory.
    /// Returns how long the file `words` was right before.
    ///
    /// What a child says after that must not be counted: a sync that runs at the very moment of the
    /// cut may be told that it succeeded (seen with plain `pwrite` and `fdatasync` beside a busy
    /// journal, too).
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

    /// Mounts the volume as the disk has it; the file system mends itself.
    func powerUp() throws {
        if try isMounted() { try Self.run(["umount", mountPoint]) }
        try Self.run(["mount", "-t", "ext4", device, mountPoint])
    }

    /// Gives everything back.
    func remove() {
        _ = try? Self.run(["umount", mountPoint])
        _ = try? Self.run(["losetup", "-d", device])
        try? FileManager.default.removeItem(atPath: place)
    }

    private func isMounted() throws -> Bool {
        try String(contentsOfFile: "/proc/mounts", encoding: .utf8).contains(" \(mountPoint) ")
    }

    /// Runs a command of the system and returns its first line; throws what it complains of.
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
