@testable import Daybook
import DaybookBytes
import DaybookEngine
import DaybookTestSupport
import Dispatch
import Foundation
import Testing

/// The lock of a consumer, and waiting for it.
@Suite struct ConsumerLockTests {
    private let directory = TemporaryDirectory()

    private func put(_ texts: String..., in store: Store) throws {
        for text in texts { try store.box(for: Note.self).put(Note(text: text)) }
    }

    @Test func `only one iteration at a time runs a consumer, also from another store`()
        async throws
    {
        let store = try Store.quiet(directory)
        let reader = try Store.quiet(directory) { $0.isReadOnly = true }
        let mailer = store.consumer("mailer", startingFrom: .beginning)
        let others = [
            mailer, store.consumer("mailer", startingFrom: .beginning),
            reader.consumer("mailer", startingFrom: .beginning),
        ]
        try put("one", "two", in: store)
        var iterator = mailer.makeAsyncIterator()
        let first = try #require(try await iterator.next())
        for other in others {
            await expectFailure(.locked) { _ = try await other.taken(1) }
            await expectFailure(.locked) { try await other.run { _ in } }
        }
        // No other consumer can move the position meanwhile; reading it is allowed.
        for other in others.dropFirst() {
            await expectFailure(.locked) { try await other.acknowledge(first) }
            await expectFailure(.locked) { try await other.reset() }
        }
        try await mailer.acknowledge(first)
        for other in others {
            #expect(try await other.position() == first.commit.position)
        }
        for other in others.dropLast() { #expect(try await other.lag() == 2) }
        // A consumer with another name is independent.
        #expect(try await store.consumer("auditor", startingFrom: .beginning).taken(1).count == 1)
        iterator.end()
        #expect(try await iterator.next() == nil)
        for other in others.dropLast() {
            #expect(try await other.taken(2).map(\.text) == ["one", "two"])
        }
        #expect(try await store.consumerNames() == ["mailer"])
        try await reader.close()
        try await store.close()
    }

    @Test func `the error names the consumer, its current owner and the remedy`() async throws {
        let store = try Store.quiet(directory)
        let mailer = store.consumer("mailer", startingFrom: .beginning)
        var iterator = mailer.makeAsyncIterator()
        _ = try await iterator.next()
        do {
            _ = try await store.consumer("mailer").taken(1)
            Issue.record("two walks at a time")
        } catch let error as DaybookError {
            #expect(error.code == .locked)
            #expect(error.details["consumer"] == "mailer")
            #expect(error.message.contains("'mailer'"))
            #expect(error.message.contains("process \(ProcessInfo.processInfo.processIdentifier)"))
        }
        iterator.end()
        try await store.close()
    }

    @Test func `every exit from an iteration releases the consumer`() async throws {
        let store = try Store.quiet(directory)
        try put("one", "two", in: store)
        func next() async throws -> String? {
            try await store.consumer("mailer", startingFrom: .beginning).taken(2).last?.text
        }
        // By leaving a loop, by an error of the handler, and by cancelling a waiting task.
        #expect(try await next() == "one")
        let mailer = store.consumer("mailer", startingFrom: .beginning)
        await #expect(throws: Refusal.self) { try await mailer.run { _ in throw Refusal() } }
        #expect(try await next() == "one")
        let (handled, handling) = AsyncStream.makeStream(of: Void.self)
        let running = Task {
            try await mailer.run { delivery in if delivery.text == "two" { handling.yield() } }
        }
        for await _ in handled { break }
        running.cancel()
        try await running.value
        #expect(try await store.consumer("mailer").lag() == 0)
        try await mailer.reset()
        // By an error at the beginning, and by a released iterator.
        let file = directory.path + "/consumers/mailer"
        try Data("rubbish".utf8).write(to: URL(fileURLWithPath: file))
        await expectFailure(.corruption) { _ = try await mailer.taken(1) }
        try await mailer.reset()
        func forget() async throws {
            var iterator = mailer.makeAsyncIterator()
            _ = try await iterator.next()
        }
        try await forget()
        #expect(try await next() == "one")
        // By the end of the store.
        let last = Task { try await mailer.run { _ in handling.yield() } }
        for await _ in handled { break }
        try await store.close()
        _ = await last.result
        let again = try Store.quiet(directory)
        let same = again.consumer("mailer", startingFrom: .beginning)
        try await same.reset()
        #expect(try await same.taken(1).count == 1)
        try await again.close()
    }

    @Test func `a delivery can only be acknowledged by its own iteration`() async throws {
        let store = try Store.quiet(directory)
        let other = try await Store(directoryPath: "memory:deliveries", entities: Note.self)
        let mailer = store.consumer("mailer", startingFrom: .beginning)
        let strangers = [
            store.consumer("auditor", startingFrom: .beginning),
            other.consumer("mailer", startingFrom: .beginning),
        ]
        for stranger in strangers {
            let delivery = try #require(try await stranger.taken(1).first)
            await expectFailure(.invalidArgument) { try await mailer.acknowledge(delivery) }
        }
        #expect(try await mailer.position() == nil)
        try await store.close()
        try await other.close()
    }

    // The iteration checked under a lock of the writers whether it is cancelled, and waited there
    // for the two syncs of an acknowledgement.
    @Test func `a slow acknowledgement holds up no writer and no other consumer`() throws {
        let gate = SyncGate()
        let files = GatedFileSystem(MemoryFileSystem(), gate, ofPathsWith: "/consumers/")
        let store = Store(
            try OpenedStore(path: "/store", [Note.self], StoreOptions(), on: files))
        let mailer = store.consumer("mailer", startingFrom: .beginning)
        let start = store.position
        gate.shut()
        let writing = DispatchGroup()
        DispatchQueue(label: "reset").async(group: writing) { try? mailer.reset(to: start) }
        gate.awaitWaiter()
        let asked = DispatchSemaphore(value: 0)
        DispatchQueue(label: "waiter").async {
            _ = mailer.isCurrent(0)
            asked.signal()
        }
        // The call returns immediately. If it waited at the gate, it would never return.
        #expect(asked.wait(timeout: .now() + .seconds(20)) == .success)
        try put("one", in: store)
        #expect(store.position.sequence == start.sequence + 1)
        #expect(gate.waitingCount == 1)
        gate.open()
        writing.wait()
        #expect(try mailer.position() == start)
        try store.close()
    }

    @Test func `a consumer with few matching commits still advances its position`() async throws {
        let store = try Store.quiet(directory) { $0.durability = .manual }
        let mailer = store.consumer("mailer", of: [Customer.self], startingFrom: .beginning)
        try await store.write {
            try store.box(for: Customer.self).put(Customer("Ada"))
        }
        for number in 0..<2_500 { try put("\(number)", in: store) }
        try await store.sync()
        let end = store.position.sequence
        var lags: [UInt64] = []
        await #expect(throws: Refusal.self) {
            try await mailer.run { delivery in
                lags.append(end - (try await mailer.position()?.sequence ?? 0))
                // Delivered only to report the position.
                if delivery.commit.sequence == end { throw Refusal() }
            }
        }
        #expect(lags.last ?? .max <= 1_000)
        #expect(try await mailer.lag() <= 1_000)
        try await store.close()
    }
}
