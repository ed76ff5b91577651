/// Hashes crash images of one history. It reads only the files that differ between images.
struct CrashHasher {
    private let durableContents: [Int: UInt64]

    init(_ states: CrashStates) {
        let changed = Set(states.steps.compactMap(\.operation.changedFile))
        var hashes: [Int: UInt64] = [:]
        for (number, node) in states.durable.nodes.enumerated() where !changed.contains(number) {
            hashes[number] = node.content.hash
        }
        durableContents = hashes
    }

    /// A hash of the reachable names and bytes; equal for equal volumes.
    func hash(_ volume: MemoryVolume) -> UInt64 {
        var sum: UInt64 = 0
        volume.forEachPath { path, node in
            let isDirectory = volume.nodes[node].entries != nil
            let content = durableContents[node] ?? volume.nodes[node].content.hash
            let seed = isDirectory ? 1 : content
            // The hashes are added, because names are visited in no particular order.
            sum &+= XXH64.hash(path.utf8.span, seed: seed)
        }
        return sum
    }
}
