import DaybookBytes
import DaybookEngine
import DaybookMaintenance
import DaybookLog
import DaybookTesting

/// The store that a campaign damages, with its expected content. It has blocks, sealed and active
/// segments, and two snapshots.
struct DamageSubject {
    /// The error codes that a damaged store may report.
    private static let allowedCodes: Set<DaybookError.Code> = [
        .corruption, .formatTooNew, .notAStore, .historyTruncated,
    ]

    let name: String
    let files: [String: [UInt8]]
    private let history: ModelHistory
    private let historyHash: UInt64
    private let options: EngineOptions
    /// Whether the store was closed. After a close, all commits are known to be durable. After a
    /// kill, the last commits are not, and damage to them looks like a torn tail.
    private let isClosed: Bool
    private let durable: UInt64

    init(seed: UInt64, isClosed: Bool) throws {
        self.isClosed = isClosed
        name = isClosed ? "closed store" : "killed store"
        var options = FaultStore.options()
        options.log.segmentSizeBytes = 11 << 10
        options.log.preallocationStepBytes = 4 << 10
        options.framePayloadBytes = 4 << 10
        // Small enough that the segments have dictionaries.
        options.blockPayloadBytes = 256
        options.snapshotChangeCountMin = .max
        self.options = options

        let fileSystem = MemoryFileSystem()
        try FaultStore.make(fileSystem, seed: seed)
        var run = try WorkloadRun(fileSystem, options, history: ModelHistory(), acknowledged: 0)
        var random = SeededGenerator(seed: seed)
        let steps = isClosed ? 330 : 90
        for index in 0..<steps {
            switch index {
            case steps / 3: try run.perform(.dropHistory)
            case steps / 2: try run.perform(.reblock)
            case steps * 7 / 10, steps * 9 / 10: try run.perform(.snapshot)
            default: try run.perform(.writing(using: &random))
            }
        }
        if isClosed { try run.close() }
        // Copies the files while the store is open if it is not closed: the state after a kill.
        files = StoreCheck.files(fileSystem)
        history = run.history
        durable = isClosed ? history.sequence : run.store.engine.log.manifest.durableSequence
        historyHash = isClosed ? try Self.historyHash(try Self.open(files, options).store) : 0
        if !isClosed { try run.close() }
    }

    /// Opens the store with these files instead. Returns whether it opened. Throws a ``Violation``
    /// if its content is wrong, the error has an unexpected code, or a rejected store was changed.
    /// With `repairs`, repairs a rejected store and checks the result.
    func check(_ files: [String: [UInt8]], repairs: Bool) throws -> Bool {
        let fileSystem = MemoryFileSystem(contents: files)
        do {
            let store = try FaultStore(fileSystem, options, registering: false)
            try checkAnswers(store)
            try store.engine.close()
            return true
        } catch let error as DaybookError {
            guard Self.allowedCodes.contains(error.code) else {
                throw Violation("damage was called \(error)")
            }
            guard !error.message.isEmpty else { throw Violation("an error without words") }
            if let changed = refusedChange(files, fileSystem) {
                throw Violation("refused with \(error)\nbut changed \(changed)")
            }
            if repairs { try checkRepair(files) }
            return false
        }
    }

    /// Repairs the store. The new store must be sound, and every row of it must have been written.
    private func checkRepair(_ files: [String: [UInt8]]) throws {
        let fileSystem = MemoryFileSystem(contents: files)
        guard try hasRepaired(fileSystem) else { return }
        let findings = try Engine.verify(Self.repairedPath, fileSystem).findings
        if let finding = findings.first(where: { $0.severity > .note }) {
            throw Violation("after a repair: \(finding)")
        }
        let store = try FaultStore(
            fileSystem, path: Self.repairedPath, options, access: .read, registering: false)
        let found = try store.objects()
        for kind in ObjectKind.allCases {
            for (id, row) in found.objects[kind.rawValue]
            where !history.states.contains(where: { $0.objects[kind.rawValue][id] == row }) {
                throw Violation("after a repair, \(kind.name) \(id) has a row of another object")
            }
        }
        try store.engine.close()
    }

    /// False if no intact file identifies the store.
    private func hasRepaired(_ fileSystem: MemoryFileSystem) throws(DaybookError) -> Bool {
        // Training a dictionary would take longer than the rest of the repair.
        var options = options
        options.dictionarySampleBytes = 0
        do throws(DaybookError) {
            _ = try Engine.repair(
                FaultStore.path, into: Self.repairedPath, fileSystem, options: options)
            return true
        } catch {
            guard Self.allowedCodes.contains(error.code) else { throw error }
            return false
        }
    }

    private static let repairedPath = "/repaired"

    private func checkAnswers(_ store: FaultStore) throws {
        let sequence = store.sequence
        guard sequence <= history.sequence, sequence >= durable else {
            throw Violation("it ends at \(sequence), not in \(durable) to \(history.sequence)")
        }
        if let difference = history[sequence].difference(from: try store.objects()) {
            throw Violation("sequence \(sequence) of \(history.sequence): \(difference)")
        }
        if isClosed, try Self.historyHash(store) != historyHash {
            throw Violation("the history reads differently")
        }
        guard try store.engine.checkReplay().isEqual else {
            throw Violation("a replay of the log gives another state")
        }
    }

    /// Returns the first file that a rejected opening changed, if the store was closed before.
    private func refusedChange(
        _ files: [String: [UInt8]], _ fileSystem: MemoryFileSystem
    ) -> String? {
        guard isClosed else { return nil }
        return StoreCheck.difference(files, StoreCheck.files(fileSystem))
    }

    private static func open(
        _ files: [String: [UInt8]], _ options: EngineOptions
    ) throws -> (store: FaultStore, fileSystem: MemoryFileSystem) {
        let fileSystem = MemoryFileSystem(contents: files)
        return (try FaultStore(fileSystem, options, registering: false), fileSystem)
    }

    /// The hash of all frames that a scan of the whole log returns.
    private static func historyHash(_ store: FaultStore) throws -> UInt64 {
        var scanner = try store.engine.log.scan(from: nil)
        var hash = XXH64()
        while let frame = try scanner.next() {
            var numbers = ByteWriter()
            numbers.uint64(frame.header.firstSequence)
            numbers.uint64(frame.header.lastSequence)
            numbers.uint64(frame.header.timeMicroseconds)
            hash.update(numbers.span)
            hash.update(frame.payload.span)
        }
        return hash.digest()
    }
}

extension WorkloadStep {
    /// Returns a random transaction.
    static func writing(using generator: inout SeededGenerator) -> WorkloadStep {
        while true {
            let step = random(using: &generator)
            if case .transaction = step { return step }
        }
    }
}
