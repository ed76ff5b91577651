import DaybookBytes

/// A journal up to a crash, divided into the durable volume and the operations that may survive.
struct CrashStates {
    /// An operation that is not applied to the durable volume.
    struct Step {
        let operation: MemoryOperation
        /// The index among the pending operations; nil for a durable operation that must be applied
        /// after a pending one.
        let pendingIndex: Int?
        /// For an operation that gives a name: the nodes without a name after this operation. The
        /// operation may take the name of no other node.
        let namelessNodes: Set<Int>
    }

    /// The part that every image contains.
    let durable: MemoryVolume
    /// The operations that a plan applies to it, in order.
    let steps: [Step]
    /// The operations that no sync covers.
    let pending: [MemoryOperation]

    init(_ journal: MemoryJournal, after count: Int) {
        let operations = journal.operations[..<count]
        let isCovered = Self.coverage(of: operations)
        var durable = journal.base
        var names = journal.base
        var steps: [Step] = []
        var pending: [MemoryOperation] = []
        // Within a file, and among all names, images keep the order of operations; across files
        // they do not.
        var filesWithPending: Set<Int> = []
        var hasPendingNames = false
        for (operation, isCovered) in zip(operations, isCovered) {
            durable.addNode(of: operation)
            let changesNames = !operation.changedDirectories.isEmpty
            if changesNames { names.apply(operation) }
            guard changesNames || operation.changedFile != nil else { continue }
            let place = isCovered ? nil : pending.count
            if !isCovered {
                steps.append(Step(operation, pendingIndex: place, names))
                pending.append(operation)
                if let file = operation.changedFile { filesWithPending.insert(file) }
                hasPendingNames = hasPendingNames || changesNames
            } else if changesNames
                ? hasPendingNames : operation.changedFile.map(filesWithPending.contains) == true
            {
                steps.append(Step(operation, pendingIndex: place, names))
            } else {
                durable.apply(operation)
            }
        }
        self.durable = durable
        self.steps = steps
        self.pending = pending
    }

    /// The volume after a crash with the outcomes of a plan.
    func volume(_ plan: CrashPlan, seed: UInt64) -> MemoryVolume {
        var volume = durable
        var random = SeededGenerator(seed: seed ^ plan.seed)
        for step in steps {
            let outcome = step.pendingIndex.map { plan[$0] } ?? .kept
            // If an earlier rename of a file did not survive, its name is in use: reusing the name
            // would lose a file that was not removed.
            if let taken = volume.nodeUnderNewName(of: step.operation),
                !step.namelessNodes.contains(taken)
            {
                continue
            }
            volume.apply(step.operation, outcome, &random)
        }
        for (file, size) in plan.sizes { volume.nodes[file].content.resize(to: size) }
        return volume
    }

    /// For each operation, whether a later sync covers it. No sync covers operations before a
    /// failed sync.
    private static func coverage(of operations: ArraySlice<MemoryOperation>) -> [Bool] {
        var covered: [Bool] = []
        var syncedFiles: Set<Int> = []
        var syncedDirectories: Set<Int> = []
        for operation in operations.reversed() {
            switch operation {
            case .sync(let file): syncedFiles.insert(file)
            case .failedSync(let file): syncedFiles.remove(file)
            case .syncDirectory(let directory): syncedDirectories.insert(directory)
            default: break
            }
            let isCovered =
                operation.changedFile.map(syncedFiles.contains)
                ?? operation.changedDirectories.contains(where: syncedDirectories.contains)
            covered.append(isCovered)
        }
        return covered.reversed()
    }
}

extension CrashStates.Step {
    /// - Parameter names: a volume with all names after the operation.
    fileprivate init(_ operation: MemoryOperation, pendingIndex: Int?, _ names: MemoryVolume) {
        self.operation = operation
        self.pendingIndex = pendingIndex
        namelessNodes =
            operation.newName == nil
            ? [] : Set(names.nodes.indices.filter { names.nodes[$0].names.isEmpty })
    }
}

extension MemoryVolume {
    /// The node whose name an operation would take; nil if the name is free.
    fileprivate func nodeUnderNewName(of operation: MemoryOperation) -> Int? {
        guard let (node, name) = operation.newName,
            let present = nodes[name.directory].entries?[name.name], present != node
        else { return nil }
        return present
    }
}
