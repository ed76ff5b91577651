import DaybookBytes
import DaybookEngine
import DaybookTesting

/// Runs the script on a file system where one call fails.
struct SyscallRun {
    private static let stepCount = 34

    private let base = MemoryFileSystem(recording: true)
    private let failing: FaultFileSystem
    private let persistence: FaultFileSystem.Persistence
    private let options = FaultStore.options()
    private let steps: [WorkloadStep]
    private let seed: UInt64
    private var history = ModelHistory()
    private var acknowledged: UInt64 = 0
    /// The current step, for the report of a violation.
    private(set) var moment = "opening"
    /// The errors so far, for the report of a violation.
    private(set) var errors: [String] = []
    private(set) var imageCount = 0

    init(seed: UInt64, fault: SyscallCampaign.Fault, failingCall: Int) {
        self.seed = seed
        persistence = fault.persistence
        failing = FaultFileSystem(
            base, failingCall: failingCall, fault: fault.fault, persistence: fault.persistence)
        steps = Self.script(seed)
    }

    var hasFailed: Bool { failing.hasFailed }

    /// Returns random steps that include each rare kind once.
    private static func script(_ seed: UInt64) -> [WorkloadStep] {
        var random = SeededGenerator(seed: seed)
        var steps = (0..<stepCount).map { _ in WorkloadStep.random(using: &random) }
        steps.insert(.snapshot, at: 8)
        steps.insert(.reblock, at: 16)
        steps.insert(.reopen, at: 20)
        steps.insert(.dropHistory, at: 26)
        steps.insert(.erase(.note, pick: 1), at: 34)
        return steps
    }

    /// Runs the script to its end or until the file system fails permanently, then checks the
    /// remaining files. With `isContinued`, writing then continues on the state that the operating
    /// system still shows.
    mutating func perform(isContinued: Bool) throws {
        var store = try openStore()
        for step in steps {
            guard let open = store else { break }
            moment = step.label
            store = try perform(step, open)
        }
        moment = "the end"
        if let store { try typed { try store.engine.close() } }
        store = nil
        try checkSurvivors()
        if isContinued { try goOn() }
    }

    /// Opens the store on the failing file system. Opens it a second time if the first attempt
    /// failed. Returns nil if the failure is permanent.
    private mutating func openStore() throws -> FaultStore? {
        for _ in 0..<2 {
            var opened: FaultStore?
            let (failing, options) = (failing, options)
            let error = try typed { opened = try FaultStore(failing, options) }
            if let opened {
                try expect(opened.sequence, "opening")
                history.cut(after: min(history.sequence, opened.sequence))
                history.pad(to: opened.sequence)
                acknowledged = opened.sequence
                return opened
            }
            // The log may contain the schema's transaction even though the opening failed.
            if history.sequence == 0 { history.pad(to: 1) }
            guard let error else { continue }
            guard hasFailed else { throw Violation("opening failed without a cause: \(error)") }
            if persistence == .forever { return nil }
        }
        throw Violation("opening failed twice, though one call alone failed")
    }

    /// Performs one step. A step that failed once must succeed when it is repeated. After a failed
    /// sync, however, the store must reject writes until it is opened again.
    private mutating func perform(
        _ step: WorkloadStep, _ store: FaultStore
    ) throws -> FaultStore? {
        guard let failure = try attempt(step, store) else {
            if case .reopen = step { return try openStore() }
            return store
        }
        guard hasFailed else { throw Violation("\(step.label) failed without a cause: \(failure)") }
        if case .reopen = step { return persistence == .forever ? nil : try openStore() }
        if failure.code == .durabilityUnknown || store.engine.log.durability?.failure != nil {
            return try leavePoisoned(store)
        }
        if persistence == .forever {
            try typed { try store.engine.close() }
            return nil
        }
        let visible = try store.objects()
        if let difference = history.last.difference(from: visible) {
            throw Violation("after \(step.label) failed with \(failure)\n\(difference)")
        }
        if let again = try attempt(step, store) {
            throw Violation("\(step.label) failed once with \(failure)\nand again with \(again)")
        }
        return store
    }

    private mutating func attempt(
        _ step: WorkloadStep, _ store: FaultStore
    ) throws -> DaybookError? {
        let (before, floor) = (store.sequence, store.eventFloor)
        var state = history.last
        let error = try typed {
            switch step {
            case .transaction(let changes, let seed):
                try store.engine.write { transaction in
                    try state.apply(changes, seed, to: store, in: transaction)
                }
            case .sync: try store.engine.sync()
            case .snapshot: _ = try store.engine.writeSnapshot()
            case .reblock: _ = try store.engine.compact(.all)
            case .dropHistory:
                try store.dropHistory()
                try store.requireNoVisits(until: floor)
            case .erase(let kind, let pick): _ = try state.erase(kind, pick, in: store)
            case .reopen: try store.engine.close()
            }
        }
        if store.sequence > before {
            switch step {
            case .transaction, .erase: history.append(state)
            default: break
            }
            if case .dropHistory = step {
                history.pad(to: store.sequence, droppingEventsUntil: floor)
            }
            history.pad(to: store.sequence)
        }
        let isPoisoned = store.engine.log.durability?.failure != nil
        if error == nil || (!isPoisoned && error?.code != .durabilityUnknown) {
            // Transactions in the log of a store without a failed sync are permanent.
            acknowledged = store.sequence
        }
        return error
    }

    /// Checks a store after a failed sync: it must reject writes. Closes it and opens it again,
    /// which determines which of the uncertain commits exist.
    private mutating func leavePoisoned(_ store: FaultStore) throws -> FaultStore? {
        let refusal = try attempt(.transaction([.insert(.note, length: 9)], seed: 1), store)
        guard refusal?.code == .durabilityUnknown else {
            throw Violation(
                "a write after a failed sync gave \(refusal.map(\.description) ?? "no error")")
        }
        try typed { try store.engine.close() }
        return persistence == .forever ? nil : try openStore()
    }

    private func expect(_ sequence: UInt64, _ moment: String) throws {
        guard sequence >= acknowledged else {
            throw Violation("\(moment): \(acknowledged) was acknowledged, \(sequence) is there")
        }
    }

    // MARK: Afterwards

    /// Checks the store that the next process finds, and each state that a power cut may leave now.
    private mutating func checkSurvivors() throws {
        let check = StoreCheck(
            options: options, history: history, acknowledged: acknowledged,
            issued: history.sequence)
        moment = "the next process"
        _ = try check.run(MemoryFileSystem(contents: base.contents), isThorough: true)
        moment = "a power cut at the end"
        try visitImages(check)
    }

    /// Writes to the store that the operating system still shows, then cuts the power. Commits must
    /// not depend on data that a failed sync left only in memory.
    private mutating func goOn() throws {
        moment = "going on after the failure"
        var store = try FaultStore(base, options)
        history.cut(after: min(history.sequence, store.sequence))
        history.pad(to: store.sequence)
        for (index, step) in [
            WorkloadStep.transaction([.insert(.note, length: 50)], seed: seed), .reblock,
            .transaction(
                [.update(.note, pick: 0, length: 9), .insert(.mark, length: 30)], seed: 2),
        ].enumerated() {
            if let error = try attempt(step, store) { throw error }
            acknowledged = store.sequence
            if index == 1 {
                try store.engine.close()
                store = try FaultStore(base, options)
            }
        }
        try visitImages(
            StoreCheck(
                options: options, history: history, acknowledged: acknowledged,
                issued: history.sequence))
        try store.engine.close()
    }

    private mutating func visitImages(_ check: StoreCheck) throws {
        var number = 0
        try base.visitCrashImages(after: base.operationCount, seed: seed, randomCount: 6) { image in
            number += 1
            guard number <= 12 else { return }
            imageCount += 1
            do {
                _ = try check.run(image.makeFileSystem(), isThorough: false)
            } catch {
                throw Violation("\(error)\n\(image)")
            }
        }
    }

    /// Runs `body` and returns its error. Throws a ``Violation`` if the error is not a
    /// `DaybookError`.
    @discardableResult
    private mutating func typed(_ body: () throws -> Void) throws -> DaybookError? {
        do {
            try body()
            return nil
        } catch let error as DaybookError {
            errors.append("\(moment): \(error)")
            return error
        }
    }
}
