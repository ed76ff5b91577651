import DaybookBytes
import DaybookEngine
import DaybookTesting

/// Simulates power cuts in memory. Writes random histories to a recording file system, then opens
/// and checks every state that a power cut may leave after any operation. Then continues with one
/// of those states, and cuts the power during its operations too, which begin with the recovery.
/// Alternatively kills only the process at some operation, and cuts the power later.
struct CrashCampaign {
    /// The number of crashes in one history.
    private static let generationCount = 3
    /// The approximate maximum of images checked per operation, spread over all kinds.
    private let imagesPerOperation: Int

    private let seed: UInt64
    private let imageCountMax: Int
    private let historyCountMax: Int
    private var report: CampaignReport
    private var imageCount = 0
    private var repeatedCount = 0
    private var operationCount = 0
    private var historyCount = 0

    init(_ arguments: FaultArguments) {
        seed = arguments.seed
        historyCountMax = arguments.count("histories") ?? .max
        imageCountMax =
            arguments.count("images")
            ?? (historyCountMax < .max
                ? .max : arguments.isLong ? 2_000_000 : arguments.isQuick ? 40_000 : 120_000)
        imagesPerOperation = arguments.isLong ? 200 : 40
        report = CampaignReport("crash", seed: seed)
    }

    /// Runs until the requested number of images is checked. Returns whether no violation was
    /// found.
    mutating func run() -> Bool {
        while imageCount < imageCountMax, historyCount < historyCountMax, !report.isFull {
            runHistory(seed &+ UInt64(historyCount))
            historyCount += 1
            if historyCount.isMultiple(of: 10) {
                report.note("\(imageCount) images of \(historyCount) histories so far")
            }
        }
        return report.finish(
            "\(imageCount) images (and \(repeatedCount) seen before) of"
                + " \(operationCount) operations in \(historyCount) histories")
    }

    private mutating func runHistory(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var options = FaultStore.options([.always, .always, .manual][Int(random.next() % 3)])
        // Pages are evicted after each snapshot.
        options.indexBudgetBytes = 1
        var fileSystem = MemoryFileSystem(recording: true)
        var history = ModelHistory()
        var acknowledged: UInt64 = 0
        do {
            try FaultStore.make(fileSystem, seed: seed)
            for generation in 0..<Self.generationCount {
                var run = try WorkloadRun(
                    fileSystem, options, history: history, acknowledged: acknowledged)
                let stepCount = (generation == 0 ? 30 : 12) + Int(random.next() % 20)
                for _ in 0..<stepCount { try run.perform(.random(using: &random)) }
                try run.close()
                let label = "history \(seed), generation \(generation)"
                guard let next = visit(run, label, seed, &random) else { return }
                history = run.history
                if random.next() % 2 == 0 {
                    fileSystem = next.image.makeFileSystem(recording: true)
                    history.cut(after: next.recovered)
                    acknowledged = next.recovered
                } else {
                    // Only the process dies: unsynced data stays in memory and may still be lost
                    // later.
                    let count = UInt64(fileSystem.operationCount - run.operationStart)
                    let operation = run.operationStart + Int(random.next() % count)
                    fileSystem = fileSystem.afterKill(at: operation)
                    guard let moment = run.moment(at: operation) else { return }
                    history.cut(after: min(history.sequence, moment.issued))
                    acknowledged = moment.acknowledged
                }
            }
        } catch {
            report.violation("history \(seed): \(error)", replay: replay(seed))
        }
    }

    private func replay(_ seed: UInt64) -> String { "crash --seed \(seed) --histories 1" }

    /// Checks images of every operation of a run. Returns a randomly chosen image and the sequence
    /// that it recovers to.
    private mutating func visit(
        _ run: WorkloadRun, _ label: String, _ seed: UInt64, _ random: inout SeededGenerator
    ) -> (image: CrashImage, recovered: UInt64)? {
        var moments = run.moments[...]
        var known: [UInt64: UInt64] = [:]
        var chosen: (image: CrashImage, recovered: UInt64)?
        var checkedCount = 0
        let first = run.operationStart == 0 ? 0 : run.operationStart + 1
        for operation in first...(run.moments.last?.operationEnd ?? first) {
            while let moment = moments.first, moment.operationEnd < operation {
                moments.removeFirst()
            }
            guard let moment = moments.first else { break }
            operationCount += 1
            var lot = SeededGenerator(seed: random.next())
            var images: [CrashImage] = []
            run.fileSystem.visitCrashImages(after: operation, seed: lot.next(), randomCount: 12) {
                images.append($0)
            }
            for image in sample(images, &lot) {
                let check = StoreCheck(
                    options: run.options, history: run.history, acknowledged: moment.acknowledged,
                    issued: moment.issued)
                do {
                    if let recovered = known[image.hash] {
                        repeatedCount += 1
                        guard recovered >= moment.acknowledged else {
                            throw Violation(
                                "\(moment.acknowledged) was acknowledged, \(recovered) is there")
                        }
                        continue
                    }
                    let recovered = try check.run(
                        image.makeFileSystem(), isThorough: lot.next() % 16 == 0)
                    known[image.hash] = recovered
                    imageCount += 1
                    checkedCount += 1
                    if random.next() % UInt64(checkedCount) == 0 { chosen = (image, recovered) }
                } catch {
                    report.violation(
                        "\(label), \(moment.label), promised \(moment.acknowledged) of"
                            + " \(moment.issued)\n\(error)\n\(image)", replay: replay(seed))
                    if report.isFull { return nil }
                }
            }
        }
        return chosen
    }

    /// Returns all images of rare kinds, and a sample of the many that tear a write at each byte.
    private func sample(_ images: [CrashImage], _ lot: inout SeededGenerator) -> [CrashImage] {
        guard images.count > imagesPerOperation else { return images }
        var rare: [CrashImage] = []
        var torn: [CrashImage] = []
        for image in images {
            let isTorn = image.category == .lastWriteTorn || image.category == .sectorDamaged
            if isTorn { torn.append(image) } else { rare.append(image) }
        }
        torn.shuffle(using: &lot)
        rare.shuffle(using: &lot)
        let tornShare = max(imagesPerOperation / 2, imagesPerOperation - rare.count)
        return Array(
            rare.prefix(imagesPerOperation - min(tornShare, torn.count)) + torn.prefix(tornShare))
    }
}
