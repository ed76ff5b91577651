import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
import DaybookRecords
import DaybookPages
import DaybookTestSupport
import Synchronization
import Testing

/// Indexes that are added to existing objects, and dropped.
@Suite struct IndexBuildTests {
    private let fileSystem = MemoryFileSystem()

    private func fill(_ store: AccountStore, _ count: Int = 40) throws -> [UInt64: Account] {
        var accounts: [UInt64: Account] = [:]
        try store.engine.write { transaction in
            for number in 0..<count {
                let account = Account(
                    email: "\(number)", code: Int64(number), city: "city \(number % 7)",
                    level: Int32(number % 3))
                accounts[try store.put(account, in: transaction)] = account
            }
        }
        return accounts
    }

    @Test func `an index that is added later contains the existing objects`() throws {
        var accounts = try {
            let store = try AccountStore(fileSystem, indexes: [])
            defer { try? store.closeProven() }
            return try fill(store)
        }()
        let store = try AccountStore(fileSystem)
        try #require(store.engine.indexProgress.count == 2, "unique ones are complete at once")
        #expect(store.engine.indexProgress.map(\.properties) == ["city, level", "city"])
        #expect(try store.engine.buildIndexSlice(limit: 10))
        #expect(store.engine.indexProgress.allSatisfy { 0.2 < $0.fraction && $0.fraction < 0.3 })
        // Commits during the build: after the position reached, before it, and across it.
        for id in [UInt64(2), 30] {
            accounts[id]?.city = "elsewhere"
            try store.put(accounts[id] ?? Account(), id: id)
        }
        for id in [UInt64(3), 31] {
            try store.remove(id)
            accounts[id] = nil
        }
        let new = Account(email: "new", code: 1000, city: "new")
        accounts[try store.put(new)] = new
        while try store.engine.buildIndexSlice(limit: 10) {}
        #expect(store.engine.indexProgress.isEmpty)
        try store.checkIndexes(accounts)
        try store.closeProven()
    }

    @Test func `an index is built automatically in the background`() throws {
        let accounts = try {
            let store = try AccountStore(fileSystem, indexes: [])
            defer { try? store.engine.close() }
            return try fill(store, 5_000)
        }()
        let store = try AccountStore(fileSystem) { $0.isMaintenanceAutomatic = true }
        store.engine.maintenance.sync {}
        #expect(store.engine.indexProgress.isEmpty && store.engine.maintenanceFailure == nil)
        try store.checkIndexes(accounts)
        try store.closeProven()
    }

    @Test(arguments: [Int32(5), 13])
    func `a failed build is repeated at the end of maintenance`(errno: Int32) throws {
        let accounts = try {
            let store = try AccountStore(fileSystem, indexes: [])
            defer { try? store.engine.close() }
            return try fill(store, 100)
        }()
        let disk = ReadFault(base: fileSystem.afterKill(), errno: errno)
        let store = try AccountStore(disk, indexes: []) {
            $0.isMaintenanceAutomatic = true
            $0.log.frameCacheBudgetBytes = 0
        }
        disk.fails.store(true, ordering: .relaxed)
        let plain = [AccountStore.place, AccountStore.city]
        _ = try store.engine.register([AccountStore.declaration(plain)])
        store.engine.maintenance.sync {}
        let code: DaybookError.Code = errno == 5 ? .corruption : .permissionDenied
        #expect(store.engine.maintenanceFailure?.code == code)
        #expect(store.engine.indexProgress.count == 2)
        // The maintenance does not read the bad sector; then the build runs.
        disk.fails.store(false, ordering: .relaxed)
        store.engine.maintainIfDue(rolled: true)
        for _ in 0..<2 { store.engine.maintenance.sync {} }
        #expect(store.engine.maintenanceFailure == nil && store.engine.indexProgress.isEmpty)
        try store.closeProven()
        let again = try AccountStore(disk, indexes: plain, access: .read)
        #expect(again.engine.openReport.replayedChangeCount == 0)
        try again.checkIndexes(accounts)
        try again.closeProven()
    }

    @Test func `a built index is in the snapshot, and no opening builds it again`() throws {
        func newestSnapshot() throws -> UInt64? {
            let engine = try Engine.open(AccountStore.path, fileSystem)
            defer { try? engine.close() }
            return engine.openReport.snapshotSequence
        }
        let accounts = try {
            let store = try AccountStore(fileSystem, indexes: [])
            defer { try? store.engine.close() }
            return try fill(store, 5_000)
        }()
        let before = try newestSnapshot()
        // Unique indexes are built with the commit; all others in the background.
        var store = try AccountStore(fileSystem, indexes: [AccountStore.email])
        try store.engine.close()
        let withUnique = try newestSnapshot()
        #expect((withUnique ?? 0) > before ?? 0)
        store = try AccountStore(fileSystem) { $0.isMaintenanceAutomatic = true }
        store.engine.maintenance.sync {}
        #expect(store.engine.indexProgress.isEmpty)
        let built = try store.engine.visibleSequence
        let killed = fileSystem.afterKill()
        try store.closeProven()
        let engine = try Engine.open(AccountStore.path, killed)
        #expect(engine.openReport.snapshotSequence == built)
        #expect(engine.indexProgress.isEmpty)
        #expect(try engine.count(store.entity) == accounts.count)
        try engine.close()
    }

    @Test func `a store can be closed while an index is built`() throws {
        let store = try AccountStore(fileSystem, indexes: [])
        let accounts = try fill(store, 5_000)
        try store.engine.close()
        let again = try AccountStore(fileSystem) { $0.isMaintenanceAutomatic = true }
        try again.engine.close()
        let last = try AccountStore(fileSystem)
        while try last.engine.buildIndexSlice() {}
        try last.checkIndexes(accounts)
        try last.closeProven()
    }

    @Test(arguments: [false, true])
    func `a half-built index survives a crash`(hasSnapshot: Bool) throws {
        let accounts = try {
            let store = try AccountStore(fileSystem, indexes: [])
            defer { try? store.engine.close() }
            return try fill(store)
        }()
        var store = try AccountStore(fileSystem)
        try store.engine.buildIndexSlice(limit: 15)
        if hasSnapshot { try store.engine.writeSnapshot() }
        try store.engine.buildIndexSlice(limit: 15)
        store = try AccountStore(fileSystem.afterKill())
        #expect((store.engine.openReport.snapshotSequence != nil) == hasSnapshot)
        while try store.engine.buildIndexSlice(limit: 15) {}
        try store.checkIndexes(accounts)
        try store.closeProven()
    }

    @Test func `a half-built index in a snapshot is completed after the opening`() throws {
        var accounts = try {
            let store = try AccountStore(fileSystem, indexes: [])
            defer { try? store.engine.close() }
            return try fill(store)
        }()
        var store = try AccountStore(fileSystem)
        try store.engine.buildIndexSlice(limit: 15)
        try store.engine.writeSnapshot()
        for id in [UInt64(3), 33] {
            accounts[id]?.city = "moved"
            try store.put(accounts[id] ?? Account(), id: id)
        }
        store = try AccountStore(fileSystem.afterKill()) { $0.isMaintenanceAutomatic = true }
        store.engine.maintenance.sync {}
        #expect(store.engine.indexProgress.isEmpty && store.engine.maintenanceFailure == nil)
        try store.checkIndexes(accounts)
        try store.closeProven()
    }

    @Test func `a unique index over duplicate values is refused, and nothing changes`() throws {
        let store = try AccountStore(fileSystem, indexes: [AccountStore.email])
        let accounts = try fill(store)
        let one = try store.put(Account(email: nil, code: 7, city: "twin"))
        let sequence = try store.engine.visibleSequence
        do {
            _ = try store.engine.register([
                AccountStore.declaration([AccountStore.email, AccountStore.code])
            ])
            Issue.record("two codes are unique")
        } catch let error as DaybookError {
            #expect(error.code == .uniqueViolation)
            #expect(
                error.details == [
                    "entity": "Account", "property": "code", "value": "7", "id": String(one),
                    "conflictingId": "8",
                ])
        }
        #expect(try store.engine.visibleSequence == sequence)
        #expect(store.engine.schemas.schema.layouts.count == 1)
        try store.remove(one)
        try store.checkIndexes(accounts)
        // A missing primary key is refused too.
        try store.put(Account(email: nil, code: 1000))
        do {
            _ = try store.engine.register([
                AccountStore.declaration([
                    IndexDeclaration(columns: ["email"], isPrimaryKey: true)
                ])
            ])
            Issue.record("null is a primary key")
        } catch let error as DaybookError { #expect(error.code == .invalidValue) }
        try store.closeProven()
    }

    @Test func `dropped indexes are emptied, and are rebuilt over the existing objects`() throws {
        var store = try AccountStore(fileSystem)
        var accounts = try fill(store, 2_000)
        let kept = store.layout.indexes.map { IndexTree.index($0.indexID) }
        try store.closeProven()
        store = try AccountStore(fileSystem, indexes: [])
        let trees = try store.engine.slot.withPinned { try $0.trees() }
        #expect(trees.allSatisfy { !kept.contains($0) })
        #expect(store.engine.trees.withLock { $0.applied.indexes.isEmpty })
        accounts[5]?.city = "changed"
        try store.put(accounts[5] ?? Account(), id: 5)
        try store.closeProven()
        store = try AccountStore(fileSystem)
        while try store.engine.buildIndexSlice() {}
        let new = Set(store.layout.indexes.map { IndexTree.index($0.indexID) })
        #expect(new.isDisjoint(with: kept))
        try store.checkIndexes(accounts)
        try store.closeProven()
    }

    @Test func `rows of older layouts are found under the newest one`() throws {
        let store = try AccountStore(fileSystem, indexes: [AccountStore.place])
        let accounts = try fill(store)
        // The level gets a wider type, and a property is added.
        var declaration = AccountStore.declaration([AccountStore.place, AccountStore.code])
        declaration.fields[3] = FieldDeclaration(name: "level", type: .int64, isOptional: true)
        declaration.fields.insert(FieldDeclaration(name: "note", type: .string), at: 0)
        declaration.indexes.append(IndexDeclaration(columns: ["note"]))
        let layout: EntityLayout
        do {
            layout = try store.engine.register([declaration])[0]
        } catch let error as DaybookError where error.code == .schemaMismatch {
            // Types cannot widen yet.
            return
        }
        while try store.engine.buildIndexSlice(limit: 9) {}
        let place = layout.indexes[0].indexID
        #expect(place != store.layout.indexes[0].indexID)
        var ids: [UInt64] = []
        try store.engine.slot.withPinned { reader in
            var cursor = try reader.bytes(IndexTree.index(place))
            _ = try cursor.next(valuesInto: &ids, limit: .max)
            #expect(try reader.count(IndexTree.index(layout.indexes[2].indexID)) == accounts.count)
        }
        let wanted = accounts.sorted {
            ($0.value.city, $0.value.level ?? 0, $0.key)
                < ($1.value.city, $1.value.level ?? 0, $1.key)
        }
        #expect(ids == wanted.map(\.key))
        try store.closeProven()
    }

    @Test func `a snapshot whose index contradicts the rows is detected`() throws {
        let store = try AccountStore(fileSystem)
        _ = try fill(store)
        let space = store.engine.slot.current
        try store.engine.writer.withLock { _ in
            let version = try store.engine.trees.withLock { state in
                state.stamp += 1
                space.begin(sequence: state.stamp)
                try space.insert(IndexTree.index(store.number(["city"])), 1, 1)
                return space.end()
            }
            store.engine.publication.enqueue(
                version, afterSequence: store.engine.log.lastSequence)
            store.engine.publication.becameDurable(store.engine.log.lastSequence)
        }
        #expect(throws: DaybookError.self) { try store.engine.proveReplay() }
        try store.engine.writeSnapshot()
        try store.engine.close()
        let report = try Engine.verify(AccountStore.path, fileSystem)
        #expect(report.severity == .corruption)
        #expect(report.findings.contains { $0.details["index"] == String(store.number(["city"])) })
        #expect(report.findings.contains { $0.subject.hasPrefix("snap") })
    }
}

/// A file system whose log cannot be read while it fails.
private final class ReadFault: ForwardingFileSystem {
    let base: any FileSystem
    let errno: Int32
    let fails = Atomic(false)

    init(base: any FileSystem, errno: Int32) {
        self.base = base
        self.errno = errno
    }

    func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        let file = try base.open(path, mode)
        return path.contains("segment-") ? ReadFaultFile(base: file, path: path, disk: self) : file
    }
}

private final class ReadFaultFile: ForwardingFile {
    let base: any File
    private let path: String
    private let disk: ReadFault

    init(base: any File, path: String, disk: ReadFault) {
        self.base = base
        self.path = path
        self.disk = disk
    }

    func read(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8] {
        if disk.fails.load(ordering: .relaxed) {
            throw .operatingSystem(errno: disk.errno, operation: "read", path: path)
        }
        return try base.read(count, at: offset)
    }
}
