@testable import Daybook
import DaybookBytes
import DaybookEngine
import DaybookTesting
import DaybookTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(30))) struct ConsumerTests {
    private let directory = TemporaryDirectory()

    private func open(_ change: (inout StoreOptions) -> Void = { _ in }) throws -> Store {
        try Store.quiet(directory, change)
    }

    private func put(_ texts: String..., in store: Store) throws {
        for text in texts { try store.box(for: Note.self).put(Note(text: text)) }
    }

    @Test func `a consumer continues after its acknowledged position`() async throws {
        var store = try open()
        try put("before", in: store)
        var mailer = store.consumer("mailer")
        try put("one", "two", "three", in: store)
        #expect(try await mailer.position() == nil)
        #expect(try await mailer.lag() == 3)
        let first = try await mailer.taken(3)
        #expect(first.map(\.text) == ["one", "two", "three"])
        let sequence = try store.sequence
        try await mailer.acknowledge(first[1])
        // It notifies no subscriber, because it makes no commit.
        #expect(try store.sequence == sequence)
        #expect(try await mailer.position() == first[1].commit.position)
        #expect(try await mailer.lag() == 1)
        // Acknowledging an earlier position changes nothing.
        try await mailer.acknowledge(first[0])
        #expect(try await mailer.position() == first[1].commit.position)
        try await store.close()

        store = try open()
        mailer = store.consumer("mailer")
        #expect(try await mailer.taken(1).map(\.text) == ["three"])
        #expect(try await store.consumerNames() == ["mailer"])
        try await store.close()
    }

    @Test func `a handler knows whether it is catching up`() async throws {
        let store = try open()
        let mailer = store.consumer("mailer", startingFrom: .beginning)
        try put("one", "two", in: store)
        let received = Mutex<[Bool]>([])
        let running = Task {
            try await mailer.run { delivery in
                received.withLock { $0.append(delivery.isCatchingUp) }
            }
        }
        // The first commit is the schema's.
        while received.withLock({ $0.count }) < 3 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(received.withLock { $0 } == [true, true, false])
        try put("three", in: store)
        while received.withLock({ $0.count }) < 4 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(received.withLock { $0.last } == false)
        while try await mailer.lag() > 0 { try await Task.sleep(for: .milliseconds(1)) }
        try await store.close()
        try await running.value
    }

    @Test func `a commit at which a handler failed is delivered again, and none before it`()
        async throws
    {
        let store = try open()
        let mailer = store.consumer("mailer")
        try put("one", "two", "three", in: store)
        await #expect(throws: Refusal.self) {
            try await mailer.run { if $0.text == "two" { throw Refusal() } }
        }
        #expect(try await mailer.taken(2).map(\.text) == ["two", "three"])
        #expect(try await store.consumer("mailer").taken(1).map(\.text) == ["two"])
        try await store.close()
    }

    @Test func `a reset takes effect on a running iteration`() async throws {
        let store = try open()
        let mailer = store.consumer("mailer")
        let start = store.position
        try put("one", "two", in: store)
        do {
            var iterator = mailer.makeAsyncIterator()
            let one = try #require(try await iterator.next())
            let two = try #require(try await iterator.next())
            try await mailer.acknowledge(two)
            try await mailer.reset(to: start)
            // A late acknowledgement does not revert the reset.
            try await mailer.acknowledge(two)
            #expect(try await mailer.position() == start)
            #expect(try await iterator.next()?.text == one.text)
            #expect(try await iterator.next()?.text == two.text)
            iterator.end()
        }
        // Also for a waiting iteration.
        let waiting = Task { () -> String? in
            var iterator = mailer.makeAsyncIterator()
            _ = try await iterator.next()
            _ = try await iterator.next()
            return try await iterator.next()?.text
        }
        for _ in 0..<50 { await Task.yield() }
        try await mailer.reset(to: start)
        #expect(["one", "two"].contains(try await waiting.value))
        try await mailer.reset()
        #expect(try await mailer.position() == nil)
        #expect(try await store.consumerNames() == [])
        try await store.close()
    }

    @Test func `the store lists its consumers with their positions, lag and problems`()
        async throws
    {
        let store = try open()
        #expect(try await store.consumerStatuses().isEmpty)
        try put("before", in: store)
        let mailer = store.consumer("mailer", startingFrom: .beginning)
        try await mailer.acknowledge(try await mailer.taken(1)[0])
        let counter = store.consumer("counter")
        try await counter.reset(to: store.position)
        try put(String(repeating: "x", count: 300_000), "two", in: store)
        try await store.consumer("current").reset(to: store.position)
        let damaged = URL(fileURLWithPath: directory.path + "/consumers/damaged")
        try Data("rubbish".utf8).write(to: damaged)
        let found = try await store.consumerStatuses()
        #expect(found.map(\.name) == ["counter", "current", "damaged", "mailer"])
        #expect(found.map(\.lag) == [2, 0, 0, 3])
        #expect(found[0].lagBytes > 200_000 && found[1].lagBytes == 0)
        #expect(found[0].position == (try await counter.position()))
        let moment = try #require(found[0].date)
        let commit = try await store.commit(found[0].position?.sequence ?? 0)
        #expect(moment == commit?.date)
        #expect(found[2].error?.code == .corruption && found[2].position == nil)
        #expect(found[0].error == nil)
        #expect(found[3].position == (try await mailer.position()))
        try await store.close()
        expectError(.closed) { _ = try store.consumerStatuses() }
    }

    @Test func `positions of other stores, bad names and damage are reported, and can be repaired`()
        async throws
    {
        let store = try open()
        let other = try await Store(directoryPath: "memory:consumers", entities: Note.self)
        expectError(.invalidArgument) { _ = try store.consumer("No Name").position() }
        await expectFailure(.invalidArgument) {
            _ = try await store.consumer("../mailer").taken(1)
        }
        let mailer = store.consumer("mailer", startingFrom: .beginning)
        await expectFailure(.historyOfAnotherStore) { try await mailer.reset(to: other.position) }
        try await mailer.reset(to: store.position)
        let file = directory.path + "/consumers/mailer"
        try Data("rubbish".utf8).write(to: URL(fileURLWithPath: file))
        let again = store.consumer("mailer")
        expectError(.corruption) { _ = try again.position() }
        await expectFailure(.corruption) { _ = try await again.taken(1) }
        try await again.reset(to: store.position)
        #expect(try await again.lag() == 0)
        try await store.close()
        expectError(.closed) { _ = try again.position() }
        try await other.close()
    }

    @Test func `a consumer that begins with the state receives it completely before later commits`()
        async throws
    {
        let store = try open()
        for number in 0..<1200 { try put("note \(number)", in: store) }
        let mirror = store.consumer("mirror", of: [Note.self], startingFrom: .state)
        var texts: Set<String> = []
        for round in 0..<2 {
            texts = []
            for try await delivery in mirror {
                #expect(delivery.commit.isState)
                for change in delivery.commit.changes(of: Note.self) {
                    texts.insert(try #require(try change.after).text)
                }
                try await mirror.acknowledge(delivery)
                // A consumer that stops within the state starts over.
                if round == 0 || delivery.commit.isEndOfState { break }
            }
        }
        #expect(texts.count == 1200)
        #expect(try await mirror.position() == store.position)
        try put("later", in: store)
        #expect(try await mirror.taken(1).map(\.text) == ["later"])
        try await store.close()
    }

    @Test func `a read-only store may run a consumer`() async throws {
        let writer = try open()
        try put("one", in: writer)
        let reader = try open {
            $0.isReadOnly = true
            $0.refreshInterval = .milliseconds(2)
        }
        let mailer = reader.consumer("mailer", of: [Note.self], startingFrom: .beginning)
        let received = Mutex<[String]>([])
        let running = Task {
            try await mailer.run { delivery in
                if let text = delivery.text { received.withLock { $0.append(text) } }
            }
        }
        try put("two", in: writer)
        while received.withLock({ $0.count }) < 2 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(received.withLock { $0 } == ["one", "two"])
        try await reader.close()
        try await running.value
        let store = writer
        #expect(try await store.consumer("mailer").position() != nil)
        try await writer.close()
    }

    @MainActor @Test func `changes and deliveries arrive on the actor that iterates`()
        async throws
    {
        let store = try open()
        let start = store.position
        let mailer = store.consumer("mailer")
        try put("one", "two", in: store)
        // Only this actor may access it.
        var texts: [String] = []
        for try await commit in store.changes(from: start) {
            MainActor.assertIsolated()
            texts.append(try #require(try commit.changes(of: Note.self)[0].after).text)
            if texts.count == 2 { break }
        }
        await #expect(throws: Refusal.self) {
            try await mailer.run { delivery in
                MainActor.assertIsolated()
                texts.append(delivery.text ?? "")
                if texts.count == 4 { throw Refusal() }
            }
        }
        #expect(texts == ["one", "two", "one", "two"])
        try await store.close()
    }

    // Each run is interrupted at a different point; together they miss no commit.
    @Test func `interrupted runs together deliver each commit at least once`() async throws {
        for seed in Seeds.first(5 * Seeds.rounds) {
            var generator = SeededGenerator(seed: seed)
            let store = try await Store(directoryPath: "memory:runs \(seed)", entities: Note.self)
            let start = store.position
            let seen = Mutex<[UInt64]>([])
            for number in 0..<12 {
                try put("note \(number)", "and more", in: store)
                let batch = Int.random(in: 1...3, using: &generator)
                let count = Mutex(0)
                let mailer = store.consumer("mailer", startingFrom: .beginning)
                let lag = try await mailer.lag()
                let limit = Int.random(in: 0..<Int(min(4, lag)), using: &generator)
                try? await mailer.run(acknowledgingEach: batch) { delivery in
                    if count.withLock({
                        $0 += 1; return $0
                    }) > limit {
                        throw Refusal()
                    }
                    seen.withLock { $0.append(delivery.commit.sequence) }
                }
            }
            let mailer = store.consumer("mailer", startingFrom: .beginning)
            let lag = try await mailer.lag()
            if lag > 0 {
                for delivery in try await mailer.taken(Int(lag)) {
                    seen.withLock { $0.append(delivery.commit.sequence) }
                }
            }
            let sequences = seen.withLock { $0 }
            #expect(Set(sequences) == Set(1...start.sequence + 24), "seed \(seed)")
            for (one, next) in zip(sequences, sequences.dropFirst()) {
                #expect(next <= one + 1, "seed \(seed)")
            }
            try await store.close()
        }
    }
}

extension Consumer {
    /// Returns the first deliveries after the acknowledged position.
    func taken(_ count: Int) async throws -> [Delivery] {
        var deliveries: [Delivery] = []
        for try await delivery in self {
            deliveries.append(delivery)
            if deliveries.count == count { break }
        }
        return deliveries
    }
}

extension Consumer.Delivery {
    /// The string of the first note that was put.
    var text: String? {
        commit.changes(of: Note.self).first.flatMap { try? $0.after?.text }
    }
}
