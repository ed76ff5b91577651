import DaybookBytes
import DaybookTesting
import Foundation

/// Simulates power cuts on a real file system: a writer runs on its own ext4 volume. The campaign
/// shuts the volume down without flushing its journal, which equals a power loss, then mounts it
/// again and checks the store.
///
/// Needs root, Linux, loop devices, `mkfs.ext4` and `python3` (for one `ioctl`). If one is missing,
/// prints that and succeeds.
struct PowerCutCampaign {
    private let seed: UInt64
    private let count: Int
    private var report: CampaignReport
    private var commitCount: UInt64 = 0

    init(_ arguments: FaultArguments) {
        seed = arguments.seed
        count = arguments.count("count") ?? (arguments.isLong ? 5_000 : 100)
        report = CampaignReport("powercut", seed: seed)
    }

    /// Runs the campaign. Returns whether no violation was found. Also returns true if the campaign
    /// could not run.
    mutating func run() -> Bool {
        if let missing = PowerCutVolume.missing {
            report.note("skipped: \(missing)")
            return true
        }
        do {
            let volume = try PowerCutVolume()
            defer { volume.remove() }
            try cutAgainAndAgain(volume)
        } catch {
            report.violation(
                "seed \(seed)\n\(error)", replay: "powercut --seed \(seed) --count \(count)")
        }
        return report.finish(
            "\(count) power cuts of an ext4 volume, \(commitCount) commits acknowledged before")
    }

    private mutating func cutAgainAndAgain(_ volume: PowerCutVolume) throws {
        var random = SeededGenerator(seed: seed)
        var acknowledged = [UInt64](repeating: 0, count: Int(WriterProcess.threadCount))
        let store = volume.mountPoint + "/store"
        for round in 0..<count {
            let child = try WriterChild(
                directory: store, words: volume.place + "/words", seed: random.next())
            Thread.sleep(forTimeInterval: Double(20 + random.next() % 120) / 1_000)
            let length = try volume.cutPower(watching: volume.place + "/words")
            child.kill()
            let told = try child.told(after: acknowledged, length: length).acknowledged
            // Includes commits that the child reports after the cut, until its first I/O error.
            let issued = try child.told(after: acknowledged).acknowledged
            for (now, before) in zip(told, acknowledged) { commitCount += now - before }
            try volume.powerUp()
            do {
                acknowledged = try WriterCheck(path: store).run(
                    told, issued: issued, isWriting: true)
            } catch {
                throw Violation("round \(round): \(error)")
            }
        }
    }
}
