import DaybookBytes
import DaybookTesting
import Foundation

/// Real power cuts: a writer on an ext4 volume of its own, which is shut down without a flush of
/// its journal, as losing the power does; then the volume is mounted again and looked at.
///
/// Needs root, Linux, loop devices, `mkfs.ext4` and `python3` (for one `ioctl`); says so where one
/// is missing, and succeeds.
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

    /// Returns whether all promises held, or nothing could be tried.
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
            "\(count) power cuts of an ext4 volume, \(commitCount) commits told before them")
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
            // What it says after the cut ends with the errors of a dead disk.
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
