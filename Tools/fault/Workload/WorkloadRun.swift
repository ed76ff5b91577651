import DaybookBytes
import DaybookEngine

/// Applies steps to a store and to its model, and records which guarantees hold at each moment.
struct WorkloadRun {
    /// The guarantees that held during a range of file system operations.
    struct Moment {
        /// The end of the range of operations.
        var operationEnd: Int
        /// The last transaction that must survive a power cut during these operations.
        var acknowledged: UInt64
        /// The last transaction that the store may contain.
        var issued: UInt64
        var label: String
    }

    let fileSystem: MemoryFileSystem
    let options: EngineOptions
    private(set) var store: FaultStore
    private(set) var history: ModelHistory
    private(set) var acknowledged: UInt64
    private(set) var moments: [Moment] = []
    /// The last sequence whose events a finished compaction of this run dropped.
    private var settledFloor: UInt64 = 0

    /// The first file system operation of this run.
    let operationStart: Int

    /// Opens the store of `fileSystem`, which contains a state of `history` at or after
    /// `acknowledged`.
    init(
        _ fileSystem: MemoryFileSystem, _ options: EngineOptions, history: ModelHistory,
        acknowledged: UInt64
    ) throws {
        self.fileSystem = fileSystem
        self.options = options
        self.history = history
        self.acknowledged = acknowledged
        operationStart = fileSystem.operationCount
        // Opens without registering the entities first, to check the recovered sequence:
        // registering may commit a transaction.
        store = try FaultStore(fileSystem, options, registering: false)
        guard store.sequence >= acknowledged, store.sequence <= history.sequence else {
            throw Violation(
                "opening: promised \(acknowledged) to \(history.sequence), found \(store.sequence)")
        }
        self.history.cut(after: store.sequence)
        if options.durability == .always { self.acknowledged = store.sequence }
        note("opening", acknowledgedBefore: acknowledged, issued: store.sequence)
        store = try store.registered()
        self.history.pad(to: store.sequence)
        let before = self.acknowledged
        if options.durability == .always { self.acknowledged = store.sequence }
        note("registering", acknowledgedBefore: before, issued: store.sequence)
    }

    /// Returns the guarantees during an operation.
    func moment(at operation: Int) -> Moment? {
        moments.first { $0.operationEnd >= operation }
    }

    /// Performs one step on the store and on the model.
    mutating func perform(_ step: WorkloadStep) throws {
        let before = acknowledged
        switch step {
        case .transaction(let changes, let seed):
            try transact(changes, seed)
            acknowledge(commit: true)
        case .sync:
            try store.engine.sync()
            acknowledge(commit: false)
        case .snapshot:
            _ = try store.engine.writeSnapshot()
            acknowledge(commit: false)
        case .reblock:
            _ = try store.engine.compact(.all)
        case .dropHistory:
            let floor = store.eventFloor
            try store.dropHistory()
            try store.requireNoVisits(until: floor)
            history.pad(to: store.sequence, droppingEventsUntil: floor)
            settledFloor = max(settledFloor, floor)
            acknowledge(commit: false)
        case .erase(let kind, let pick):
            if try erase(kind, pick) { acknowledge(commit: false) }
        case .reopen:
            try store.engine.close()
            acknowledge(commit: false)
            store = try FaultStore(fileSystem, options)
            history.pad(to: store.sequence)
        }
        guard store.sequence == history.sequence else {
            throw Violation(
                "after \(step.label) the log ends at \(store.sequence), the model at"
                    + " \(history.sequence)")
        }
        note(step.label, acknowledgedBefore: before, issued: history.sequence)
    }

    /// Closes the store and ends the run.
    func close() throws { try store.engine.close() }

    private mutating func transact(_ changes: [WorkloadStep.Change], _ seed: UInt64) throws {
        var state = history.last
        state.settleEvents(until: settledFloor)
        let store = store
        let sequence = store.sequence
        try store.engine.write { transaction in
            try state.apply(changes, seed, to: store, in: transaction)
        }
        // A transaction without changes gets no sequence.
        if store.sequence > sequence { history.append(state) }
    }

    /// Erases an object. Returns false, without an effect, if there is none.
    private mutating func erase(_ kind: ObjectKind, _ pick: UInt64) throws -> Bool {
        var state = history.last
        state.settleEvents(until: settledFloor)
        guard let report = try state.erase(kind, pick, in: store) else { return false }
        guard report.isFinished, report.objectCount > 0, report.sequence == store.sequence else {
            throw Violation("the erasure of a \(kind.name) is not complete: \(report)")
        }
        history.append(state)
        return true
    }

    private mutating func acknowledge(commit: Bool) {
        if !commit || options.durability == .always { acknowledged = history.sequence }
    }

    /// Records the guarantees that held until now and, for the last operation, the guarantees that
    /// hold after it.
    private mutating func note(_ label: String, acknowledgedBefore: UInt64, issued: UInt64) {
        let end = fileSystem.operationCount
        if end > (moments.last?.operationEnd ?? operationStart) + 1 {
            moments.append(
                Moment(
                    operationEnd: end - 1, acknowledged: acknowledgedBefore, issued: issued,
                    label: label))
        }
        moments.append(
            Moment(operationEnd: end, acknowledged: acknowledged, issued: issued, label: label))
    }
}

extension ModelState {
    /// Erases an object in a store, and removes it from this model. Nil if there is no object.
    mutating func erase(
        _ kind: ObjectKind, _ pick: UInt64, in store: FaultStore
    ) throws -> ErasureReport? {
        let living = ids(kind)
        guard !living.isEmpty else { return nil }
        let id = living[Int(pick % UInt64(living.count))]
        remove(kind, id)
        // An earlier recovery may have filled the quarantine.
        return try store.engine.erase(
            ErasureRequest(kind.name, ids: [id]), removesQuarantine: true)
    }

    /// Applies the same changes to a store and to this model.
    mutating func apply(
        _ changes: [WorkloadStep.Change], _ seed: UInt64, to store: FaultStore,
        in transaction: WriteTransaction
    ) throws {
        let before = self
        for (index, change) in changes.enumerated() {
            let seed = seed &+ UInt64(index)
            switch change {
            case .insert(let kind, let length):
                let (id, row) = try store.put(kind, 0, length: length, seed: seed, in: transaction)
                guard id >= nextIds[kind.rawValue] else {
                    throw Violation("\(kind.name): id \(id) was assigned before")
                }
                put(kind, id, row)
            case .update(let kind, let pick, let length):
                let living = ids(kind)
                guard !living.isEmpty else { continue }
                let id = living[Int(pick % UInt64(living.count))]
                put(
                    kind, id,
                    try store.put(kind, id, length: length, seed: seed, in: transaction).row)
            case .remove(let kind, let pick):
                let living = before.ids(kind).filter { objects[kind.rawValue][$0] != nil }
                guard !living.isEmpty else { continue }
                let id = living[Int(pick % UInt64(living.count))]
                try store.remove(kind, id, in: transaction)
                remove(kind, id)
            case .append(let length):
                let (number, event) = try store.append(
                    length: length, seed: seed, in: transaction)
                guard number >= nextEvent else {
                    throw Violation("the event number \(number) was assigned before")
                }
                append(number, event)
            case .relation(let change):
                try relate(change, to: store, in: transaction)
            }
        }
    }
}
