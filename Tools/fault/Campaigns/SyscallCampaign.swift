import DaybookBytes
import DaybookEngine
import DaybookTesting
import Foundation

/// Fails system calls: runs a script of all store operations repeatedly. In each run one more call
/// succeeds before a call fails, until the script completes without a failure. Covers every kind of
/// failure, both once and permanently. Does the same for openings that must recover something.
struct SyscallCampaign {
    /// A kind of failure.
    struct Fault {
        var name: String
        var fault: FaultFileSystem.Fault
        var persistence: FaultFileSystem.Persistence
    }

    private let seed: UInt64
    private let isLong: Bool
    private var report: CampaignReport
    private var runCount = 0
    private var imageCount = 0

    init(_ arguments: FaultArguments) {
        seed = arguments.seed
        isLong = arguments.isLong
        report = CampaignReport("syscalls", seed: seed)
    }

    /// Runs the campaign. Returns whether no violation was found.
    mutating func run() -> Bool {
        for index in 0..<(isLong ? 8 : 1) {
            let seed = seed &+ UInt64(index)
            for fault in Self.faults(isLong: isLong) where !report.isFull {
                failEachCall(fault, seed)
                failEachOpening(fault, seed)
            }
        }
        return report.finish(
            "\(runCount) runs with a failing call, \(imageCount) crash images after them")
    }

    private static func faults(isLong: Bool) -> [Fault] {
        var faults = [
            Fault(name: "EIO once", fault: .errno(EIO), persistence: .once),
            Fault(name: "ENOSPC once", fault: .errno(ENOSPC), persistence: .once),
            Fault(name: "a short write once", fault: .shortWrite, persistence: .once),
            Fault(name: "EIO for ever", fault: .errno(EIO), persistence: .forever),
        ]
        guard isLong else { return faults }
        faults += [
            Fault(name: "ENOSPC for ever", fault: .errno(ENOSPC), persistence: .forever),
            Fault(name: "a short write, then nothing", fault: .shortWrite, persistence: .forever),
            Fault(name: "EMFILE once", fault: .errno(EMFILE), persistence: .once),
            Fault(name: "EINTR once", fault: .errno(EINTR), persistence: .once),
            Fault(name: "EACCES once", fault: .errno(EACCES), persistence: .once),
        ]
        return faults
    }

    private mutating func failEachCall(_ fault: Fault, _ seed: UInt64) {
        var call = 1
        while !report.isFull {
            var run = SyscallRun(seed: seed, fault: fault, failingCall: call)
            runCount += 1
            do {
                try run.perform(isContinued: call.isMultiple(of: 3))
            } catch {
                report.violation(
                    "\(fault.name), call \(call) (\(run.moment))\n\(error)\n"
                        + run.errors.joined(separator: "\n"),
                    replay: "syscalls --seed \(seed)")
            }
            imageCount += run.imageCount
            if !run.hasFailed { break }
            call += 1
        }
        report.note("\(fault.name): \(call - 1) calls of the script")
    }

    /// Fails each call of openings that must recover from torn tails, orphaned files and unsynced
    /// frames.
    private mutating func failEachOpening(_ fault: Fault, _ seed: UInt64) {
        do {
            let openings = try SyscallOpening.some(seed: seed, count: isLong ? 40 : 8)
            var count = 0
            for index in openings.indices {
                var call = 1
                while !report.isFull {
                    runCount += 1
                    let hasFailed: Bool
                    do {
                        hasFailed = try openings[index].perform(fault, failingCall: call)
                    } catch {
                        report.violation(
                            "\(fault.name), call \(call) of an opening\n\(error)\n"
                                + "\(openings[index].image)",
                            replay: "syscalls --seed \(seed)")
                        hasFailed = true
                    }
                    if !hasFailed { break }
                    call += 1
                }
                count += call - 1
            }
            report.note("\(fault.name): \(count) calls of \(openings.count) openings")
        } catch {
            report.violation("seed \(seed)\n\(error)", replay: "syscalls --seed \(seed)")
        }
    }
}
