import DaybookBytes

/// A history cut off at one operation, parted into what is certainly on the disk and what may be.
struct CrashStates {
    /// One operation that is not simply part of the durable volume.
    struct Step {
        let operation: MemoryOperation
        /// Its place among the pending ones; nil for one that is durable, but comes after a
        /// pending one that it must not be overtaken by.
        let pendingIndex: Int?
        /// Of an operation that gives a name, the nodes that have none once all has happened up
        /// to it: the only ones that it may take a name from.
        let namelessNodes: Set<Int>
    }

    /// What every image has.
    let durable: MemoryVolume
    /// What must be applied to it, in order, as a plan says.
    let steps: [Step]
    /// The steps that no sync covers.
    let pending: [MemoryOperation]

    init(_ journal: MemoryJournal, after count: Int) {
        let operations = journal.operations[..<count]
        let isCovered = Self.coverage(of: operations)
        var durable = journal.base
        var names = journal.base
        var steps: [Step] = []
        var pending: [MemoryOperation] = []
        // Within a file, and among all names, order counts: what follows a pending operation
        // follows it in the images, too. Across files it does not.
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

    /// The volume that a plan leaves.
    func volume(_ plan: CrashPlan, seed: UInt64) -> MemoryVolume {
        var volume = durable
        var random = SeededGenerator(seed: seed ^ plan.seed)
        for step in steps {
            let outcome = step.pendingIndex.map { plan[$0] } ?? .kept
            // Where a file was to move away first and did not, its name is not free: taking it
            // would lose a file that nobody removed.
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

    /// For each operation, whether a later sync covers it. A failed sync lets nothing before it be
    /// covered any more.
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
    /// - Parameter names: a volume with all names as they were after the operation.
    fileprivate init(_ operation: MemoryOperation, pendingIndex: Int?, _ names: MemoryVolume) {
        self.operation = operation
        self.pendingIndex = pendingIndex
        namelessNodes =
            operation.newName == nil
            ? [] : Set(names.nodes.indices.filter { names.nodes[$0].names.isEmpty })
    }
}

extension MemoryVolume {
    /// What an operation would take a name from, if it is not what it gives the name to.
    fileprivate func nodeUnderNewName(of operation: MemoryOperation) -> Int? {
        guard let (node, name) = operation.newName,
            let present = nodes[name.directory].entries?[name.name], present != node
        else { return nil }
        return present
    }
}
