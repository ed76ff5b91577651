import Foundation
import Synchronization

/// The command line of `daybook-fault`.
enum FaultCommand {
    /// Runs the requested campaign. Returns the exit code.
    static func run(_ words: [String]) -> Int32 {
        guard let arguments = FaultArguments(words) else { return usage() }
        switch arguments.campaign {
        case "crash": return code(crash(arguments))
        case "damage": return code(damage(arguments))
        case "kill": return code(kill(arguments))
        case "syscalls": return code(syscalls(arguments))
        case "powercut": return code(powercut(arguments))
        case "all": return code(all(arguments))
        case "write": return WriterProcess.run(arguments)
        default: return usage()
        }
    }

    /// Runs the four campaigns that need only this process, on two threads, with the same seed.
    private static func all(_ arguments: FaultArguments) -> Bool {
        let outcomes = Mutex<[Bool]>([])
        let campaigns: [[@Sendable (FaultArguments) -> Bool]] = [
            [crash], [kill, syscalls, damage],
        ]
        DispatchQueue.concurrentPerform(iterations: campaigns.count) { index in
            for campaign in campaigns[index] {
                let isFine = campaign(arguments)
                outcomes.withLock { $0.append(isFine) }
            }
        }
        return outcomes.withLock { $0.allSatisfy(\.self) }
    }

    private static func crash(_ arguments: FaultArguments) -> Bool {
        var campaign = CrashCampaign(arguments)
        return campaign.run()
    }

    private static func damage(_ arguments: FaultArguments) -> Bool {
        var campaign = DamageCampaign(arguments)
        return campaign.run()
    }

    private static func kill(_ arguments: FaultArguments) -> Bool {
        var campaign = KillCampaign(arguments)
        return campaign.run()
    }

    private static func syscalls(_ arguments: FaultArguments) -> Bool {
        var campaign = SyscallCampaign(arguments)
        return campaign.run()
    }

    private static func powercut(_ arguments: FaultArguments) -> Bool {
        var campaign = PowerCutCampaign(arguments)
        return campaign.run()
    }

    private static func code(_ isFine: Bool) -> Int32 { isFine ? 0 : 1 }

    private static func usage() -> Int32 {
        print(FaultArguments.usage)
        return 2
    }
}
