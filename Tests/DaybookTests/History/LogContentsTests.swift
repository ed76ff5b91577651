import Daybook
import DaybookRealm
import DaybookRealmModels
import DaybookTestSupport
import Foundation
import Testing

/// The bytes of the log by their use.
@Suite struct LogContentsTests {
    private let directory = TemporaryDirectory()

    private func open(_ segmentSizeBytes: Int = 1 << 26) throws -> Store {
        var options = StoreOptions()
        options.isMaintenanceAutomatic = false
        options.segmentSizeBytes = segmentSizeBytes
        return try Store(
            directory: directory.url, entities: Note.self, Parcel.self, Owner.self, Reading.self,
            options: options)
    }

    /// The change of the contents by `body`.
    private func change(
        _ store: Store, _ body: () throws -> Void
    ) throws -> (live: Int, superseded: Int, removed: Int) {
        let before = try store.logContents().bytes
        try body()
        let after = try store.logContents().bytes
        #expect(after.total == (try store.statistics().logRawBytes))
        return (
            after.live - before.live, after.superseded - before.superseded,
            after.removed - before.removed
        )
    }

    @Test func `versions are live, then superseded, then removed`() throws {
        let store = try open()
        let notes = store.box(for: Note.self)
        let text = String(repeating: "x", count: 1000)
        let new = try change(store) { try notes.put([Note(text: text), Note(text: "kept")]) }
        #expect(new.live > 1000 && new.superseded == 0 && new.removed == 0)
        let update = try change(store) { try notes.put(Note(id: 1, text: "short")) }
        #expect(update.live < -900 && update.superseded > 1000 && update.removed == 0)
        let removal = try change(store) { try notes.remove(1) }
        #expect(removal.live < 0 && removal.superseded == -update.superseded)
        #expect(removal.removed > 1000)
        // The id lives again, and everything before is its history.
        let again = try change(store) { try notes.put(Note(id: 1, text: "again"), mode: .put) }
        #expect(again.live > 0 && again.superseded > 1000 && again.removed == -removal.removed)
        let event = try change(store) { try store.append(Reading(device: "roof", celsius: 1)) }
        #expect(event.live > 0 && event.superseded == 0 && event.removed == 0)
        try store.close()
    }

    @Test func `links are live while they exist, and one record of a renewed link is`() throws {
        let store = try open()
        let parcels = store.box(for: Parcel.self)
        let note = Note(id: try store.box(for: Note.self).put(Note(text: "one")), text: "one")
        var parcel = Parcel()
        parcel.id = try parcels.put(parcel)
        func link(_ isLinked: Bool) throws {
            let found = try #require(try parcels.get(parcel.id))
            if isLinked { found.notes.append(note) } else { found.notes.removeAll() }
            try found.notes.applyToDb()
        }
        let first = try change(store) { try link(true) }
        #expect(first.live > 0 && first.removed == 0)
        let removal = try change(store) { try link(false) }
        #expect(removal.live == -first.live && removal.removed > first.live)
        let again = try change(store) { try link(true) }
        #expect(again.live == first.live && again.removed == -removal.removed)
        #expect(again.superseded == removal.removed)
        try store.close()
    }

    @Test func `elements of lists are live while they are at their places`() throws {
        let store = try open()
        let owners: Box<Owner> = store.box()
        let owner = Owner("Ada")
        owner.dogs.append(Dog("a"))
        try owners.put(owner)
        let added = try change(store) {
            owner.dogs.append(Dog("b"))
            try owners.put(owner)
        }
        #expect(added.live > 0 && added.removed == 0)
        let removed = try change(store) {
            owner.dogs.removeLast()
            try owners.put(owner)
        }
        #expect(removed.live < 0 && removed.removed > 0)
        try store.close()
    }

    @Test func `a measurement has the segments, the progress and the compactions`() throws {
        let store = try open(64 << 10)
        let notes = store.box(for: Note.self)
        for number in 0..<400 {
            try notes.put(Note(id: number < 5 ? 0 : 1, text: "\(number) ".repeated(100)))
        }
        var fractions: [Double] = []
        let before = try store.logContents(progress: { fractions.append($0) })
        #expect(before.sequence == (try store.sequence))
        let numbers = try store.statistics().segments.map(\.number)
        #expect(before.segments.map(\.number) == numbers && numbers.count > 1)
        #expect(fractions == fractions.sorted() && fractions.last == 1 && fractions.count > 2)
        #expect(before.bytes.superseded > before.bytes.live && before.compactions == [])
        #expect(before.segments.dropLast().allSatisfy { $0.bytes.superseded > 0 })
        let floor = try store.compact(keeping: .latest).historyFloor
        let after = try store.logContents()
        #expect(after.bytes.live == before.bytes.live && after.bytes.superseded == 0)
        #expect(after.compactions.map(\.policy) == [.latest])
        #expect(after.compactions.first?.historyFloor == floor)
        #expect((after.compactions.first?.microseconds ?? 0) > 0)
        expectError(.interrupted) { _ = try store.logContents(isCancelled: { true }) }
        try store.close()
        expectError(.closed) { _ = try store.logContents() }
    }

    @Test func `a measurement agrees with the plan of a compaction`() async throws {
        let store = try open(64 << 10)
        let notes = store.box(for: Note.self)
        for number in 0..<300 {
            try await notes.put(Note(text: "\(number) ".repeated(50)))
            if number % 3 == 0 { try await notes.remove(Id(number / 3 + 1)) }
        }
        let bytes = try await store.logContents().bytes
        let plan = try await store.compactionPlan(keeping: .latest)
        let kept = plan.segments.reduce(0) { $0 + $1.keptRawBytes }
        #expect(bytes.live <= kept && kept <= bytes.live + bytes.other)
        #expect(bytes.removed > 0)
        try await store.close()
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
