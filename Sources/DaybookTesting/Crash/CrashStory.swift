import DaybookBytes

/// Describes the outcomes of a plan, so that a failing image can be understood and reproduced.
struct CrashStory: Sendable {
    private let operationCount: Int
    private let seed: UInt64
    private let pending: [MemoryOperation]
    private let volume: MemoryVolume

    init(_ states: CrashStates, operation count: Int, seed: UInt64) {
        operationCount = count
        self.seed = seed
        pending = states.pending
        volume = states.volume(CrashPlan(rest: .kept), seed: seed)
    }

    func tell(_ plan: CrashPlan, _ category: CrashImage.Category) -> String {
        var lines = [
            "\(category.rawValue) after operation \(operationCount), seed \(seed): "
                + "\(pending.count) pending, all \(plan.rest) except"
        ]
        for index in plan.outcomes.keys.sorted() {
            lines.append("  \(label(pending[index])): \(plan[index])")
        }
        for (file, size) in plan.sizes.sorted(by: { $0.key < $1.key }) {
            lines.append("  \(name(of: file)): \(size) bytes long at the end")
        }
        if lines.count == 1 { lines[0].removeLast(" except".count) }
        return lines.joined(separator: "\n")
    }

    private func label(_ operation: MemoryOperation) -> String {
        switch operation {
        case .create(let file, let name): "create \(name.name) (\(self.name(of: file)))"
        case .createDirectory(_, let name): "create the directory \(name.name)"
        case .rename(_, let from, let to): "rename \(from.name) to \(to.name)"
        case .link(let node, let name): "link \(self.name(of: node)) to \(name.name)"
        case .remove(_, let name): "remove \(name.name)"
        case .write(let file, let offset, let bytes):
            "write \(bytes.count) bytes at \(offset) of \(name(of: file))"
        case .resize(let file, let size): "resize \(name(of: file)) to \(size)"
        case .preallocate(let file, let size): "preallocate \(name(of: file)) to \(size)"
        case .sync(let file): "sync \(name(of: file))"
        case .failedSync(let file): "failed sync of \(name(of: file))"
        case .syncDirectory(let directory): "sync the directory \(name(of: directory))"
        }
    }

    private func name(of node: Int) -> String {
        var found = "file \(node)"
        volume.forEachPath { path, candidate in if candidate == node { found = path } }
        return found
    }
}
