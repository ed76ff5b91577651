@testable import Daybook
import DaybookBytes
@testable import DaybookQuery
import Foundation
import Testing

// The ends of observed values: an error, the end of the store, a cancellation.

extension ObservedValuesTests {
    @Test func `an error of the closure ends the values`() async throws {
        let memos = memos
        var values = store.values(observing: [Memo.self]) {
            let count = try memos.count()
            if count == 1 { throw Refusal(number: 3) }
            if count == 2 { throw DaybookError(.overflow, "Too many memos for this test.") }
            return count
        }
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next() == 0)
        try put("a")
        let error = await #expect(throws: DaybookError.self) { _ = try await iterator.next() }
        #expect(error?.code == .invalidValue)
        #expect(error?.cause as? Refusal == Refusal(number: 3))
        #expect(error?.message.contains("Refusal(number: 3)") ?? false)
        #expect(try await iterator.next() == nil)
        try put("b")
        #expect(try await iterator.next() == nil)
        var other = values.makeAsyncIterator()
        let known = await #expect(throws: DaybookError.self) { _ = try await other.next() }
        #expect(known?.code == .overflow)
        values = store.values(observing: [Memo.self]) {
            Int(try memos.put(Memo(text: "", stars: 1)))
        }
        var writing = values.makeAsyncIterator()
        let refused = await #expect(throws: DaybookError.self) { _ = try await writing.next() }
        #expect(refused?.code == .cannotWriteWhileReading)
        #expect(try #require(store.types.liveQueries).listenerCount == 0)
    }

    @Test func `an unknown entity is an error`() async throws {
        var values = store.values(observing: [Memo.self, Order.self]) { 1 }.makeAsyncIterator()
        let error = await #expect(throws: DaybookError.self) { _ = try await values.next() }
        #expect(error?.code == .entityNotRegistered)
        #expect(try await values.next() == nil)
    }

    @Test(.timeLimit(.minutes(30)))
    func `values end with the store`() async throws {
        let begun = Events<Int>()
        let values = counts()
        let waiting = Task {
            var count = 0
            for try await _ in values {
                count += 1
                begun.add(count)
            }
            return count
        }
        #expect(await begun.next() == 1)
        var busy = values.makeAsyncIterator()
        #expect(try await busy.next() == [0, 0])
        try await store.close()
        #expect(try await waiting.value == 1)
        #expect(try await busy.next() == nil)
        #expect(try await busy.next() == nil)
        var late = values.makeAsyncIterator()
        let error = await #expect(throws: DaybookError.self) { _ = try await late.next() }
        #expect(error?.code == .closed)
        #expect(try #require(store.types.liveQueries).listenerCount == 0)
    }

    @Test(.timeLimit(.minutes(30)))
    func `a cancelled or abandoned loop ends and stops observing`() async throws {
        let queries = try #require(store.types.liveQueries)
        let values = counts()
        for try await _ in values { break }
        #expect(queries.listenerCount == 0)
        let begun = Events<Int>()
        let task = Task {
            for try await _ in values { begun.add(1) }
        }
        #expect(await begun.next() == 1)
        #expect(queries.listenerCount == 1)
        task.cancel()
        try await task.value
        #expect(queries.listenerCount == 0)
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            var iterator = values.makeAsyncIterator()
            return try await iterator.next() == nil
        }
        late.cancel()
        #expect(try await late.value)
        #expect(runs.all.count == 2)
    }

    @Test(.timeLimit(.minutes(30)))
    func `an unreadable log ends the values with the error`() async throws {
        var values = counts().makeAsyncIterator()
        #expect(try await values.next() == [0, 0])
        try #require(store.types.liveQueries).fail(
            DaybookError(.corruption, "The log is damaged."))
        let error = await #expect(throws: DaybookError.self) { _ = try await values.next() }
        #expect(error?.code == .corruption)
        #expect(try await values.next() == nil)
    }
}
