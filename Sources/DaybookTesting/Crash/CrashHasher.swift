import DaybookBytes

/// Hashes the images of one cut-off history, reading only what differs between them.
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

    /// A number that volumes share whose reachable names and bytes are the same.
    func hash(_ volume: MemoryVolume) -> UInt64 {
        var sum: UInt64 = 0
        volume.forEachPath { path, node in
            let isDirectory = volume.nodes[node].entries != nil
            let content = durableContents[node] ?? volume.nodes[node].content.hash
            let seed = isDirectory ? 1 : content
            // A sum, because names come in no order.
            sum &+= XXH64.hash(path.utf8.span, seed: seed)
        }
        return sum
    }
}
