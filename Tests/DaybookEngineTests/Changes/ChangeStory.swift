import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookTesting
import DaybookTestSupport

/// A random history of a store of nodes and links, with rolls, compactions, kills, power cuts and
/// openings, with subscribers that follow it at different speeds, and a named consumer.
struct ChangeStory: ~Copyable {
    /// The content of a store at a sequence.
    struct State: Equatable {
        var texts: [UInt64: String] = [:]
        var links: Set<[UInt64]> = []
    }

    var generator: SeededGenerator
    private var fileSystem = MemoryFileSystem(recording: true)
    private var graph: GraphStore
    private var follower: GraphStore?
    private let options: @Sendable (inout EngineOptions) -> Void

    /// The expected changes by sequence.
    private var expected: [UInt64: [String]] = [:]
    private var states: [UInt64: State] = [0: State()]
    private var state = State()
    private var removed: Set<UInt64> = []
    private var subscribers: [ChangeSubscriber] = []
    private var consumer = ChangeConsumer()
    /// The number of times that each event happened, so that tests can check that it did happen.
    private(set) var counts: [String: Int] = [:]

    init(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let segment = [1, 2, 16].randomElement(using: &generator).map { $0 << 10 } ?? 1024
        let frame = [256, 4096].randomElement(using: &generator) ?? 256
        let durability = [Durability.always, .manual].randomElement(using: &generator)
        options = { options in
            options.log.segmentSizeBytes = segment
            options.log.preallocationStepBytes = 1 << 10
            options.framePayloadBytes = frame
            options.blockPayloadBytes = frame
            options.durability = durability ?? .always
        }
        self.generator = generator
        graph = try GraphStore(fileSystem, options)
        noteUnchanged()
    }

    // MARK: Steps

    mutating func step() throws {
        switch Int.random(in: 0..<60, using: &generator) {
        case 0: try reopen("close") { try $0.engine.close() }
        case 1: try reopen("kill") { _ in }
        case 2: try cutPower()
        case 3: try graph.engine.writeSnapshotAndPrune()
        case 4, 5: try compact(.all, "blocks")
        case 6: try compact(.latest, "latest")
        case 7...9: try graph.engine.sync()
        case 10...13: try follow()
        case 14...16: subscribe()
        case 17...31: try readSome()
        case 32...35: try consume(count: Int.random(in: 1...20, using: &generator))
        case 36, 37: try acknowledge()
        default: try write()
        }
    }

    /// Delivers all durable changes to every subscriber.
    mutating func finish() throws {
        try graph.engine.sync()
        try follow()
        for index in subscribers.indices {
            try read(index, count: .max)
            // Reads again if the subscriber had to start over with the state.
            try read(index, count: .max)
            let last = subscribers[index].isFollowing ? follower : graph
            let end = last?.engine.commitSignal.sequence
            try demand(subscribers[index].seen == end, "the end is missing")
        }
        try consume(count: .max)
        try consume(count: .max)
        try demand(consumer.seen == graph.engine.commitSignal.sequence, "the end is missing")
        try graph.engine.proveReplay()
        try follower?.engine.close()
        try graph.engine.close()
    }

    private mutating func note(_ what: String) { counts[what, default: 0] += 1 }

    /// Records that the store's own commits change nothing.
    private mutating func noteUnchanged() {
        for sequence in 1...graph.engine.log.lastSequence where expected[sequence] == nil {
            expected[sequence] = []
            states[sequence] = state
        }
    }

    private mutating func compact(_ policy: HistoryPolicy, _ name: String) throws {
        let seals = Bool.random(using: &generator)
        _ = try graph.engine.compact(policy, sealsActive: seals)
        noteUnchanged()
        note(name)
    }

    private mutating func reopen(_ name: String, _ end: (GraphStore) throws -> Void) throws {
        try end(graph)
        try begin(MemoryFileSystem(contents: fileSystem.contents, recording: true), name)
    }

    private mutating func cutPower() throws {
        var images: [MemoryFileSystem] = []
        let last = fileSystem.operationCount
        fileSystem.visitCrashImages(after: last, seed: generator.next(), randomCount: 2) {
            images.append($0.makeFileSystem(recording: true))
        }
        guard let image = images.randomElement(using: &generator) else { return }
        try begin(image, "power cut")
    }

    /// - Parameter acknowledged: the range of positions at which the consumer may continue, if its
    ///   process ended during an acknowledgement.
    private mutating func begin(
        _ next: MemoryFileSystem, _ name: String, acknowledged: ClosedRange<UInt64>? = nil
    ) throws {
        note(name)
        let durable = graph.engine.commitSignal.sequence
        fileSystem = next
        graph = try GraphStore(fileSystem, options)
        follower = nil
        let last = graph.engine.log.lastSequence
        try demand(last >= durable, "\(name) lost delivered commits")
        expected = expected.filter { $0.key <= last }
        states = states.filter { $0.key <= last }
        state = states[last] ?? state
        noteUnchanged()
        removed = removed.filter { state.texts[$0] == nil && $0 < nextId }
        // A subscriber keeps only its position.
        for index in subscribers.indices { subscribers[index].reader = nil }
        let place = acknowledged ?? consumer.acknowledged...consumer.acknowledged
        if try consumer.restart(graph, within: place) { note("given again") }
    }

    private var nextId: UInt64 {
        graph.engine.trees.withLock { $0.applied.counts[graph.entity]?.nextId ?? 1 }
    }

    private mutating func follow() throws {
        if let follower {
            try follower.engine.refresh()
        } else {
            follower = try GraphStore(fileSystem, access: .read, options)
        }
        note("follow")
    }

    // MARK: Writing

    private mutating func write() throws {
        let before = state
        var lines: [String] = []
        var touched: Set<UInt64> = []
        let relation = graph.number(.friends)
        try graph.engine.write { transaction in
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                lines += try change(transaction, &touched)
            }
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let ids = before.texts.keys.filter { !touched.contains($0) }.sorted()
                guard let source = ids.randomElement(using: &generator),
                    let target = ids.randomElement(using: &generator)
                else { continue }
                touched.formUnion([source, target])
                if try transaction.changes.link(relation, source, target) {
                    state.links.insert([source, target])
                    lines.append("link \(source) \(target)")
                } else {
                    try transaction.changes.unlink(relation, source, target)
                    state.links.remove([source, target])
                    lines.append("unlink \(source) \(target)")
                }
            }
        }
        guard !lines.isEmpty else { return }
        let sequence = graph.engine.log.lastSequence
        expected[sequence] = lines.sorted()
        states[sequence] = state
    }

    private mutating func change(
        _ transaction: WriteTransaction, _ touched: inout Set<UInt64>
    ) throws -> [String] {
        let text = "text \(generator.next() % 1000)"
        let known = Set(state.texts.keys).union(removed).subtracting(touched).sorted()
        guard let id = known.randomElement(using: &generator),
            Int.random(in: 0..<3, using: &generator) > 0
        else {
            let id = try graph.put(text, in: transaction)
            touched.insert(id)
            state.texts[id] = text
            return ["+\(id) \(text)"]
        }
        touched.insert(id)
        let old = state.texts[id]
        guard let old, Bool.random(using: &generator) else {
            _ = try graph.put(text, id: id, in: transaction)
            state.texts[id] = text
            removed.remove(id)
            return [old.map { "=\(id) \(text) (\($0))" } ?? "+\(id) \(text)"]
        }
        _ = try transaction.changes.remove(graph.entity, id)
        state.texts[id] = nil
        removed.insert(id)
        let lost = state.links.filter { $0.contains(id) }
        state.links.subtract(lost)
        for link in lost { touched.formUnion(link) }
        return ["-\(id) (\(old))"] + lost.map { "unlink \($0[0]) \($0[1])" }
    }

    // MARK: Reading

    private mutating func subscribe() {
        guard subscribers.count < 5 else { return }
        let isFollowing = Bool.random(using: &generator)
        let seen = UInt64.random(in: 0...graph.engine.commitSignal.sequence, using: &generator)
        subscribers.append(ChangeSubscriber(seen: seen, isFollowing: isFollowing))
    }

    private mutating func consume(count: Int) throws {
        do {
            counts["consumed", default: 0] += try consumer.read(
                graph, count: count, expected, states)
        } catch DaybookError.Code.historyTruncated {
            try demand(consumer.seen < graph.engine.historyFloor, "truncated too soon")
            note("consumer truncated")
            try consumer.startOver(graph)
        }
    }

    /// Acknowledges the consumed changes; sometimes simulates a power cut meanwhile.
    private mutating func acknowledge() throws {
        let range = consumer.acknowledged...consumer.seen
        let before = fileSystem.operationCount
        try consumer.acknowledge(graph)
        note("acknowledged")
        guard Int.random(in: 0..<4, using: &generator) == 0 else { return }
        let last = Int.random(in: before...fileSystem.operationCount, using: &generator)
        var images: [MemoryFileSystem] = []
        fileSystem.visitCrashImages(after: last, seed: generator.next(), randomCount: 2) {
            images.append($0.makeFileSystem(recording: true))
        }
        guard let image = images.randomElement(using: &generator) else { return }
        try begin(image, "cut acknowledgement", acknowledged: range)
    }

    private mutating func readSome() throws {
        guard let index = subscribers.indices.randomElement(using: &generator) else { return }
        try read(index, count: Int.random(in: 1...20, using: &generator))
    }

    private mutating func read(_ index: Int, count: Int) throws {
        guard let store = subscribers[index].isFollowing ? follower : graph else { return }
        do {
            let readCount = try subscribers[index].read(store, count: count, expected, states)
            counts["read", default: 0] += readCount
        } catch DaybookError.Code.historyTruncated {
            // Only a compaction of the history may cause this error, and only for positions below
            // the history floor.
            try demand(subscribers[index].seen < store.engine.historyFloor, "truncated too soon")
            note("truncated")
            try subscribers[index].startOver(store)
        }
    }
}
