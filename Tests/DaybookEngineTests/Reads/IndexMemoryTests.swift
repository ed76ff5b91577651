import DaybookBytes
@testable import DaybookEngine
import DaybookTesting
import DaybookTestSupport
import Foundation
import Testing

/// Index pages that a snapshot contains leave the memory and return.
@Suite struct IndexMemoryTests {
    private static let budgetBytes = 512 << 10
    private static let count: UInt64 = 12_000
    private let fileSystem = MemoryFileSystem()

    private func account(_ id: UInt64, round: Int = 0) -> Account {
        Account(
            email: "mail-\(id)-\(round)@example.com", code: Int64(id) * 10 + Int64(round),
            city: "city \(id % 700)", level: Int32(id % 3))
    }

    /// Opens a store whose index pages take several times the budget.
    private func store(
        access: Engine.Access = .write, _ change: (inout EngineOptions) -> Void = { _ in }
    ) throws -> AccountStore {
        try AccountStore(fileSystem, access: access) {
            $0.indexBudgetBytes = Self.budgetBytes
            $0.durability = .manual
            change(&$0)
        }
    }

    private func fill(_ store: AccountStore) throws {
        for start in stride(from: 1, to: Self.count, by: 2_000) {
            try store.engine.write { transaction in
                for id in start..<(start + 2_000) {
                    try store.put(account(id), in: transaction)
                }
            }
        }
    }

    /// Reads some objects, and finds them by their indexes.
    private func checkSome(_ store: AccountStore, round: Int = 0) throws {
        for id in stride(from: 1, through: Self.count, by: 301) {
            let expected = account(id, round: round)
            #expect(try store.account(id) == expected)
            #expect(try store.find("email", of: expected) == id)
            #expect(try store.find("code", of: expected) == id)
        }
    }

    /// Changes bytes of all groups in the snapshots.
    private func damageSnapshots() throws {
        for path in fileSystem.paths("snapshot") {
            let file = try fileSystem.open(path, .readWrite)
            let size = try file.size()
            for offset in stride(from: 64, to: size * 3 / 4, by: 512) {
                let byte = try file.read(1, at: offset).map { $0 ^ 0x55 }
                try file.write(byte.span, at: offset)
            }
        }
    }

    private func waitUntil(_ isTrue: () -> Bool) throws {
        let end = Date(timeIntervalSinceNow: 60)
        while !isTrue() {
            guard Date() < end else { throw Difference(what: "the wait") }
            Thread.sleep(forTimeInterval: 0.01)
        }
    }

    @Test func `pages are evicted after a snapshot, and all answers stay the same`() throws {
        let store = try store()
        try fill(store)
        #expect(store.engine.indexByteCount > 3 * Self.budgetBytes)
        try store.engine.writeSnapshot()
        try store.engine.evict()
        #expect(store.engine.indexByteCount <= Self.budgetBytes)
        try checkSome(store)
        try store.engine.write { transaction in
            for id in stride(from: 1, through: Self.count, by: 301) {
                try store.put(account(id, round: 1), id: id, in: transaction)
            }
        }
        try checkSome(store, round: 1)
        try store.engine.writeSnapshot()
        try store.engine.evict()
        try store.engine.evict()
        #expect(store.engine.indexByteCount <= Self.budgetBytes)
        try checkSome(store, round: 1)
        try store.closeProven()
    }

    @Test func `reads of a large store keep their memory within the budget`() throws {
        do {
            let store = try store()
            try fill(store)
            try store.engine.writeSnapshot()
            try store.engine.close()
        }
        let store = try store()
        #expect(store.engine.indexByteCount <= Self.budgetBytes)
        try checkSome(store)
        try checkSome(store)
        // The background evicts as soon as it runs; this call waits for it.
        try store.engine.evict()
        #expect(store.engine.indexByteCount <= Self.budgetBytes)
        try store.closeProven()
    }

    @Test func `a snapshot is written when the pages in none exceed the budget`() throws {
        let store = try store { $0.isMaintenanceAutomatic = true }
        try fill(store)
        try waitUntil {
            try? store.engine.evict()
            return !fileSystem.paths("snapshot").isEmpty
                && store.engine.indexByteCount <= Self.budgetBytes
        }
        try checkSome(store)
        try store.closeProven()
    }

    @Test func `without automatic maintenance, no snapshot is written and no page is lost`() throws
    {
        let store = try store()
        try fill(store)
        try store.engine.evict()
        #expect(fileSystem.paths("snapshot").isEmpty)
        try checkSome(store)
        try store.closeProven()
    }

    @Test func `a read transaction keeps its version while its pages are evicted`() throws {
        let store = try store()
        try fill(store)
        try store.engine.read { view in
            try store.engine.writeSnapshot()
            try store.engine.evict()
            #expect(store.engine.indexByteCount <= Self.budgetBytes)
            var scan = view.scan(store.entity)
            var count = 0
            while let row = try scan.next() {
                count += 1
                if count % 1_000 == 0 { try store.engine.evict() }
                #expect(row.id == UInt64(count))
            }
            #expect(count == Int(Self.count))
        }
        try store.engine.evict()
        #expect(store.engine.indexByteCount <= Self.budgetBytes)
        try store.closeProven()
    }

    @Test func `held trees keep the memory of the pages they read`() throws {
        let store = try store()
        try fill(store)
        let view = try store.engine.view()
        let held = view.hold()
        try store.engine.writeSnapshot()
        try store.engine.evict()
        #expect(store.engine.indexByteCount > 3 * Self.budgetBytes)
        #expect(try held.reader.object(store.entity, 5) != nil)
        withExtendedLifetime(held) {}
    }

    @Test func `scans of an index continue while its pages are evicted`() throws {
        let store = try store()
        try fill(store)
        try store.engine.writeSnapshot()
        let index = try #require(
            store.engine.schemas.traits(of: store.entity).plan?.indexes.first {
                $0.definition.indexID == store.number(["email"])
            })
        for isDescending in [false, true] {
            try store.engine.query { access in
                var ids: [UInt64] = []
                var count = 0
                try access.forEachId(
                    index, from: [], before: nil, isDescending: isDescending
                ) { some in
                    ids += some
                    count += 1
                    if count % 4 == 0 { try store.engine.evict() }
                    return true
                }
                #expect(Set(ids).count == Int(Self.count))
                #expect(ids.count == Int(Self.count))
            }
        }
        try store.closeProven()
    }

    @Test func `past versions are dropped when they keep evicted pages in memory`() throws {
        let store = try store()
        try fill(store)
        try store.put(account(7, round: 1), id: 7)
        let sequence = try store.engine.visibleSequence
        let past = try store.engine.view(at: sequence - 1)
        try store.engine.writeSnapshot()
        try store.engine.evict()
        #expect(store.engine.pastVersions.withLock { $0.isEmpty })
        for id in stride(from: 1, through: Self.count, by: 301) {
            #expect(try past.row(store.entity, id).map(store.account(of:)) == account(id))
        }
        try store.closeProven()
    }

    @Test func `a snapshot that is damaged after an eviction costs no data`() throws {
        let store = try store()
        try fill(store)
        try store.engine.writeSnapshot()
        try store.engine.evict()
        try damageSnapshots()
        try checkSome(store)
        try store.put(account(5, round: 1), id: 5)
        #expect(try store.account(5) == account(5, round: 1))
        try store.closeProven()
    }

    @Test func `a commit that meets a damaged snapshot after an eviction is applied`() throws {
        let store = try store()
        try fill(store)
        try store.engine.writeSnapshot()
        try store.engine.evict()
        let view = try store.engine.view()
        try damageSnapshots()
        try store.engine.write { transaction in
            for id in stride(from: 1, through: Self.count, by: 301) {
                try store.put(account(id, round: 1), id: id, in: transaction)
            }
        }
        try checkSome(store, round: 1)
        // The older version is replayed from the log.
        #expect(try view.row(store.entity, 302).map(store.account(of:)) == account(302))
        try store.closeProven()
    }

    @Test func `snapshot files that were removed can still be read`() throws {
        let store = try store()
        try fill(store)
        try store.engine.writeSnapshot()
        try store.engine.evict()
        for path in fileSystem.paths("snapshot") { try fileSystem.remove(path) }
        try checkSome(store)
        #expect(store.engine.openReport.rejectedSnapshots.isEmpty)
        try store.closeProven()
    }

    @Test func `a read-only store evicts pages of its snapshot while it follows a writer`() throws {
        let writer = try store()
        try fill(writer)
        try writer.engine.writeSnapshot()
        let follower = try store(access: .read)
        for round in 1...4 {
            try writer.engine.write { transaction in
                for id in stride(from: 1, through: Self.count, by: 301) {
                    try writer.put(account(id, round: round), id: id, in: transaction)
                }
            }
            #expect(try follower.engine.refresh())
            try checkSome(follower, round: round)
            try follower.engine.evict()
            #expect(follower.engine.indexByteCount < 3 * Self.budgetBytes)
        }
        try follower.engine.proveReplay()
        try follower.engine.close()
        try writer.closeProven()
    }

    @Test(arguments: [HistoryPolicy.all, .latest])
    func `a compaction with evictions keeps all answers`(policy: HistoryPolicy) throws {
        let store = try store { $0.log.segmentSizeBytes = 256 << 10 }
        try fill(store)
        try store.engine.writeSnapshot()
        try store.engine.evict()
        for id in stride(from: 1, through: Self.count, by: 301) {
            try store.put(account(id, round: 1), id: id)
        }
        _ = try store.engine.compact(policy, sealsActive: true)
        try store.engine.evict()
        #expect(store.engine.indexByteCount <= Self.budgetBytes)
        try checkSome(store, round: 1)
        try store.closeProven()
    }

    @Test func `a store with a budget survives a kill and a power failure at each step`() throws {
        let recording = MemoryFileSystem(recording: true)
        let open = { (disk: MemoryFileSystem) in
            try NoteStore(disk) {
                $0.indexBudgetBytes = 1
                $0.log.segmentSizeBytes = 4 << 10
                $0.log.preallocationStepBytes = 1 << 10
            }
        }
        let notes = try open(recording)
        // The notes after each commit, and the number of operations when it returned.
        var states = [(end: recording.operationCount, all: try notes.all())]
        func note() throws { states.append((recording.operationCount, try notes.all())) }
        for round in 0..<3 {
            for number in 0..<4 {
                try notes.put("note \(number) of round \(round)")
                try note()
            }
            try notes.engine.writeSnapshotAndPrune()
            try notes.engine.evict()
            try notes.put("changed in round \(round)", id: 2)
            try note()
        }
        try notes.closeProven()
        var imageCount = 0
        for operation in stride(from: states[0].end, through: recording.operationCount, by: 3) {
            let last = try #require(states.lastIndex { $0.end <= operation })
            let allowed = states[last...].prefix(2).map(\.all)
            try recording.visitCrashImages(after: operation, seed: 1, randomCount: 2) { image in
                imageCount += 1
                let found = try open(image.makeFileSystem())
                #expect(allowed.contains(try found.all()), "\(image)")
                try found.closeProven()
            }
        }
        #expect(imageCount > 100)
    }
}
