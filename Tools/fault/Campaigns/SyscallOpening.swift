import DaybookBytes
import DaybookEngine
import DaybookTesting

/// Opens a store after a power cut on a file system where one call fails.
struct SyscallOpening {
    let image: CrashImage
    private let history: ModelHistory
    private let acknowledged: UInt64
    private let issued: UInt64
    private let options: EngineOptions

    /// Returns images of a history, spread over its operations and kinds.
    static func some(seed: UInt64, count: Int) throws -> [SyscallOpening] {
        var random = SeededGenerator(seed: seed)
        let fileSystem = MemoryFileSystem(recording: true)
        var run = try WorkloadRun(
            fileSystem, FaultStore.options(), history: ModelHistory(), acknowledged: 0)
        for _ in 0..<40 { try run.perform(.random(using: &random)) }
        try run.close()
        var openings: [SyscallOpening] = []
        let last = run.moments.last?.operationEnd ?? 0
        for index in 0..<count {
            let operation = last * (index + 1) / (count + 1)
            guard let moment = run.moments.first(where: { $0.operationEnd >= operation }) else {
                break
            }
            var images: [CrashImage] = []
            fileSystem.visitCrashImages(after: operation, seed: random.next(), randomCount: 4) {
                images.append($0)
            }
            guard let image = images.randomElement(using: &random) else { continue }
            openings.append(
                SyscallOpening(
                    image: image, history: run.history, acknowledged: moment.acknowledged,
                    issued: moment.issued, options: run.options))
        }
        return openings
    }

    /// Opens the store with one failing call. Afterwards the store must open without a failure, and
    /// again after a power cut. Returns whether a call failed.
    func perform(
        _ fault: SyscallCampaign.Fault, failingCall: Int
    ) throws -> Bool {
        let base = image.makeFileSystem(recording: true)
        let failing = FaultFileSystem(
            base, failingCall: failingCall, fault: fault.fault, persistence: fault.persistence)
        do {
            let store = try FaultStore(failing, options, registering: false)
            _ = try store.objects()
            try store.engine.close()
        } catch is DaybookError {
            // The error has an expected type. The check below examines the remaining files.
        }
        let check = StoreCheck(
            options: options, history: history, acknowledged: acknowledged, issued: issued)
        _ = try check.run(MemoryFileSystem(contents: base.contents), isThorough: true)
        var number = 0
        try base.visitCrashImages(after: base.operationCount, seed: 1, randomCount: 2) { image in
            number += 1
            guard number <= 4 else { return }
            do {
                _ = try check.run(image.makeFileSystem(), isThorough: false)
            } catch {
                throw Violation("\(error)\n\(image)")
            }
        }
        return failing.hasFailed
    }
}
