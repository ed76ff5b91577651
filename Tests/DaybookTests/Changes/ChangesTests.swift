@testable import Daybook
import DaybookBytes
import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

@Suite struct ChangesTests {
    private let directory = TemporaryDirectory()

    private func open(_ change: (inout StoreOptions) -> Void = { _ in }) throws -> Store {
        try Store.quiet(directory, change)
    }

    @Test func `a change contains its object before and after`() async throws {
        let store = try open()
        let notes = store.box(for: Note.self)
        let start = store.position
        let id = try await notes.put(Note(text: "one"))
        try await notes.put(Note(id: id, text: "two", stars: 3))
        try await notes.remove(id)
        let commits = try await store.changes(from: start).taken(3)
        let changes = commits.flatMap { $0.changes(of: Note.self) }
        #expect(changes.map(\.kind) == [.insert, .update, .remove])
        #expect(changes.map(\.id.value) == [id, id, id])
        #expect(try changes.map { try $0.before?.text } == [nil, "one", "two"])
        #expect(try changes.map { try $0.after?.text } == ["one", "two", nil])
        #expect(try changes[0].changedProperties == ["text"])
        #expect(try changes[1].changedProperties == ["text", "stars"])
        #expect(try changes[2].changedProperties == ["text", "stars"])
        #expect(commits.map(\.sequence) == (1...3).map { start.sequence + $0 })
        #expect(commits.last?.position == store.position)
        #expect(commits.allSatisfy { !$0.isState && $0.date.timeIntervalSinceNow < 60 })
        try await store.close()
    }

    @Test func `a sequence of changes begins at the requested position, even a future one`()
        async throws
    {
        let store = try open()
        let notes = store.box(for: Note.self)
        try await notes.put(Note(text: "before"))
        let walk = store.changes()
        let following = Task { try await walk.taken(3) }
        for number in 1...3 { try await notes.put(Note(text: "note \(number)")) }
        let received = try await following.value
        let texts = try received.map { try $0.changes(of: Note.self)[0].after?.text }
        #expect(texts == ["note 1", "note 2", "note 3"])
        // Each iteration starts at the beginning.
        #expect(try await walk.taken(3).map(\.sequence) == received.map(\.sequence))
        try await store.close()
    }

    @Test func `a position can be encoded and used by another process`() async throws {
        var store = try open()
        try await store.box(for: Note.self).put([Note(text: "one"), Note(text: "two")])
        let text = store.position.description
        let data = try JSONEncoder().encode([store.position])
        try await store.box(for: Note.self).put(Note(text: "three"))
        try await store.close()
        store = try open()
        let saved = Daybook.ChangePosition(text)
        let position = try #require(saved)
        #expect(try JSONDecoder().decode([Daybook.ChangePosition].self, from: data) == [position])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Daybook.ChangePosition].self, from: Data(#"["no"]"#.utf8))
        }
        let received = try await store.changes(from: position).taken(1)
        #expect(try received[0].changes(of: Note.self)[0].after?.text == "three")
        try await store.close()
    }

    @Test func `a commit is delivered with its metadata`() async throws {
        let store = try open()
        let start = store.position
        try await store.write(metadata: ["author": "ada", "shift": "night"]) {
            try store.box(for: Note.self).put(Note(text: "one"))
        }
        let commit = try await store.changes(from: start).taken(1)[0]
        #expect(commit.metadata == CommitMetadata(author: "ada", others: ["shift": "night"]))
        try await store.close()
    }

    @Test func `a change set contains the changes of each type, the events and the links`()
        async throws
    {
        let store = try open()
        let start = store.position
        try await store.box(for: Note.self).put(Note(text: "not asked for"))
        try await store.append(Reading(device: "roof", celsius: 20))
        let order = Order("books", customer: Customer("Ada"))
        try await store.box(for: Order.self).put(order)
        let all = try await store.changes(from: start).taken(3)
        #expect(all[0].changes.map(\.entityName) == ["Note"])
        #expect(all[1].changes.map(\.kind) == [.event])
        #expect(try all[1].events(of: Reading.self) == [Reading(device: "roof", celsius: 20)])
        #expect(Set(all[2].changes.map(\.entityName)) == ["Order", "Customer"])
        #expect(all[2].changes(of: Note.self).isEmpty)
        #expect(all[2].links.map(\.relation) == ["Order.customer"])
        #expect(all[2].links[0].isLink && all[2].links[0].targetEntity == "Customer")
        let customers = try await store.changes(from: start, of: [Customer.self]).taken(1)
        #expect(customers[0].sequence == all[2].sequence)
        #expect(customers[0].changes.map(\.entityName) == ["Customer"])
        #expect(customers[0].links == all[2].links)
        let notes = try await store.changes(from: start, of: Note.self).taken(2)
        #expect(notes[0].changes.count == 1)
        // Delivered only to report the position.
        #expect(notes[1].isEmpty && notes[1].position == all[2].position)
        try await store.close()
    }

    @Test func `a sequence for some properties skips updates of other properties`() async throws {
        let store = try open()
        let items = store.box(for: Item.self)
        let start = store.position
        var item = Item(name: "one", size: 1)
        item.id = try await items.put(item)
        item.size = 2
        try await items.put(item)
        item.name = "two"
        try await items.put(item)
        try await items.remove(item.id)
        let typed = try await store.changes(
            from: start, of: Item.self, properties: \.name, \.nick
        ).taken(3)
        #expect(typed.map { $0.changes[0].kind } == [.insert, .update, .remove])
        let named = try await store.changes(from: start, of: [Item.self], properties: ["name"])
            .taken(3)
        #expect(named.map(\.sequence) == typed.map(\.sequence))
        let update = typed[1].changes(of: Item.self)[0]
        #expect(try update.changedProperties == ["name"])
        #expect(try update.has(\.name) && !update.has(\.size))
        await expectFailure(.invalidArgument) {
            _ = try await store.changes(from: start, of: [Item.self], properties: ["no"]).taken(1)
        }
        await expectFailure(.invalidArgument) {
            _ = try await store.changes(from: start, properties: ["name"]).taken(1)
        }
        await expectFailure(.invalidArgument) {
            _ = try await store.changes(from: start, of: Item.self, properties: \.site.city)
                .taken(1)
        }
        try await store.close()
    }

    @Test func `an object that was removed and put again is an insert`() async throws {
        let store = try open()
        let notes = store.box(for: Note.self)
        let id = try await notes.put(Note(text: "one"))
        try await notes.remove(id)
        let start = store.position
        try await notes.put(Note(id: id, text: "again"))
        let commit = try await store.changes(from: start).taken(1)[0]
        try await commit.readVersionsBefore()
        #expect(commit.changes[0].kind == .insert)
        #expect(try commit.changes(of: Note.self)[0].before == nil)
        #expect(try !commit.changes(of: Note.self)[0].isBeforeGone)
        try await store.close()
    }

    @Test func `the end of the store or of the task ends the iteration`() async throws {
        let store = try open()
        let closed = Task { try await store.changes().taken(.max).count }
        let cancelled = Task { try await store.changes().taken(.max).count }
        cancelled.cancel()
        #expect(try await cancelled.value == 0)
        for _ in 0..<20 { await Task.yield() }
        try await store.box(for: Note.self).put(Note(text: "one"))
        let position = store.position
        var iterator = store.changes(from: position).makeAsyncIterator()
        let last = Task { try await store.changes(from: position).taken(.max).count }
        try await store.close()
        // An iteration that had not begun gets an error.
        for task in [closed, last] {
            do {
                #expect(try await task.value <= 1)
            } catch let error as DaybookError where error.code == .closed {}
        }
        await expectFailure(.closed) { _ = try await iterator.next() }
    }

    @Test func `a running iteration ends with the store, without an error`() async throws {
        let store = try open()
        let start = store.position
        try await store.box(for: Note.self).put(Note(text: "one"))
        var iterator = store.changes(from: start).makeAsyncIterator()
        #expect(try await iterator.next() != nil)
        try await store.close()
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    @Test func `positions of other stores and unknown types are refused`() async throws {
        let store = try open()
        let other = try await Store(directoryPath: "memory:other changes", entities: Note.self)
        await expectFailure(.historyOfAnotherStore) {
            _ = try await store.changes(from: other.position).taken(1)
        }
        await expectFailure(.entityNotRegistered) {
            _ = try await other.changes(of: [Item.self]).taken(1)
        }
        try await store.close()
        try await other.close()
    }

    @Test func `a slow subscriber buffers some commits, and fewer large ones`() async throws {
        let store = try open()
        let start = store.position
        let notes = store.box(for: Note.self)
        for _ in 0..<100 { try await notes.put(Note(text: "small")) }
        let text = String(repeating: "x", count: 400 << 10)
        for _ in 0..<20 { try await notes.put(Note(text: text)) }
        var iterator = store.changes(from: start).makeAsyncIterator()
        var counts: [Int] = []
        for _ in 0..<120 {
            _ = try await iterator.next()
            counts.append(iterator.feed.aheadCount)
        }
        #expect((1...64).contains(counts[0]))
        #expect((counts.dropFirst(100).max() ?? 0) <= 3)
        try await store.close()
    }

    @Test func `a position that the store has not reached is refused`() async throws {
        let store = try open()
        let reader = try open { $0.isReadOnly = true }
        let uuid = try #require(store.position.description.split(separator: ":").first)
        for sequence in [UInt64.max, UInt64.max - 1, store.position.sequence + 1] {
            let known = Daybook.ChangePosition("\(uuid):\(sequence)")
            let ahead = try #require(known)
            for other in [store, reader] {
                await expectFailure(.historyOfAnotherStore) {
                    _ = try await other.changes(from: ahead).taken(1)
                }
                await expectFailure(.historyOfAnotherStore) {
                    try await other.consumer("mailer").reset(to: ahead)
                }
            }
        }
        for sequence in [UInt64.max, UInt64.max - 1] {
            #expect(throws: DaybookError.self) { _ = try store.view(at: .sequence(sequence)) }
        }
        #expect(try await store.consumer("mailer").position() == nil)
        // A reader may not have refreshed since its writer reported the commit.
        try await store.box(for: Note.self).put(Note(text: "one"))
        let position = store.position
        try await store.box(for: Note.self).put(Note(text: "two"))
        let commits = try await reader.changes(from: position).taken(1)
        #expect(commits.map(\.sequence) == [position.sequence + 1])
        try await reader.close()
        try await store.close()
    }

    @Test func `if the history was dropped, the state may be delivered instead`() async throws {
        let store = try open()
        let notes = store.box(for: Note.self)
        let start = store.position
        let orders = store.box(for: Order.self)
        try await orders.put(Order("books", customer: Customer("Ada")))
        for number in 0..<1500 { try await notes.put(Note(text: "note \(number)")) }
        try await notes.remove(7)
        _ = try store.engine.compact(.latest)
        await expectFailure(.historyTruncated) {
            _ = try await store.changes(from: start).taken(1)
        }
        let walks = [
            store.changes(from: start, whenTruncated: .givesState), store.stateAndChanges(),
        ]
        for walk in walks {
            var iterator = walk.makeAsyncIterator()
            var texts: Set<String> = []
            var links: [String] = []
            while let part = try await iterator.next() {
                #expect(part.isState)
                for change in part.changes(of: Note.self) {
                    #expect(change.kind == .insert)
                    texts.insert(try #require(try change.after).text)
                }
                links += part.links.map(\.relation)
                #expect(part.isEndOfState == (part.position.sequence == part.sequence))
                if part.isEndOfState { break }
            }
            #expect(texts.count == 1499 && !texts.contains("note 6"))
            #expect(links == ["Order.customer"])
            try await notes.put(Note(text: "later"))
            var after = try await iterator.next()
            while after?.isEmpty == true { after = try await iterator.next() }
            #expect(try after?.changes(of: Note.self)[0].after?.text.isEmpty == false)
            #expect(after?.isState == false)
            try await notes.removeAll()
            try await notes.put((0..<1500).filter { $0 != 6 }.map { Note(text: "note \($0)") })
        }
        try await store.close()
    }

    @Test func `with weaker durability a commit is delivered once it is synced`() async throws {
        let store = try open { $0.durability = .manual }
        try await store.sync()
        var iterator = store.changes().makeAsyncIterator()
        let notes = store.box(for: Note.self)
        try await notes.put(Note(text: "one"))
        let before = store.position
        try await notes.put(Note(text: "two"))
        #expect(store.position == before)
        try await store.sync()
        #expect(store.position.sequence == before.sequence + 2)
        #expect(try await iterator.next()?.sequence == before.sequence + 1)
        #expect(try await iterator.next()?.sequence == before.sequence + 2)
        try await store.close()
    }

    @Test func `a read-only store delivers the commits of its writer`() async throws {
        let writer = try open()
        let reader = try open {
            $0.isReadOnly = true
            $0.refreshInterval = .milliseconds(2)
        }
        let start = writer.position
        let following = Task { try await reader.changes(from: start).taken(50) }
        for number in 0..<50 { try await writer.box().put(Note(text: "note \(number)")) }
        let received = try await following.value
        #expect(received.map(\.sequence) == (1...50).map { start.sequence + $0 })
        // The delivered objects can be read.
        let seen = try await reader.box(for: Note.self).count()
        #expect(seen == 50)
        #expect(reader.position == writer.position)
        try await reader.close()
        try await writer.close()
    }

    @Test func `with many writers, each of many subscribers receives every commit once`()
        async throws
    {
        let store = try open { $0.segmentSizeBytes = 64 << 10 }
        let start = store.position
        let (writerCount, each) = (4, 150)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let commits = try await store.changes(from: start).taken(writerCount * each)
                    let sequences = commits.map(\.sequence)
                    #expect(sequences == (1...sequences.count).map { start.sequence + UInt64($0) })
                    let texts = try commits.map { try $0.changes(of: Note.self)[0].after?.text }
                    #expect(Set(texts).count == writerCount * each)
                }
            }
            for writer in 0..<writerCount {
                group.addTask {
                    for number in 0..<each {
                        try await store.box(for: Note.self).put(Note(text: "\(writer) \(number)"))
                        if number % 50 == 49, writer == 0 {
                            _ = try store.engine.compact(.all, sealsActive: true)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try await store.close()
    }
}

extension Changes {
    /// Returns the first commits; fewer if the sequence ends.
    func taken(_ count: Int) async throws -> [Commit] {
        var commits: [Commit] = []
        for try await commit in self {
            commits.append(commit)
            if commits.count == count { break }
        }
        return commits
    }
}

/// Expects a ``DaybookError`` with a code.
func expectFailure(
    _ code: DaybookError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    let error = await #expect(throws: DaybookError.self, sourceLocation: sourceLocation) {
        try await body()
    }
    #expect(error?.code == code, sourceLocation: sourceLocation)
}
