import DaybookBytes

/// Hashes the images of one crash. It reads only the files that differ between them.
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

    /// A hash of the reachable names and their bytes.
    func hash(_ volume: MemoryVolume) -> UInt64 {
        var sum: UInt64 = 0
        volume.forEachPath { path, node in
            let isDirectory = volume.nodes[node].entries != nil
            let content = durableContents[node] ?? volume.nodes[node].content.hash
            let seed = isDirectory ? 1 : content
            // A sum, because the order of names is undefined.
            sum &+= path.withUTF8Span { XXH64.hash($0, seed: seed) }
        }
        return sum
    }
}
