import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookTesting
import DaybookTestSupport
import Synchronization
import Testing

/// Migrations that are too large for one transaction.
@Suite struct MigrationStepTests {
    private let fileSystem = MemoryFileSystem()
    private static let stepCount = 3

    /// Fills a store with twenty accounts whose codes are 1 to 20. Number 11 is removed.
    private func filled(_ fileSystem: any FileSystem) throws -> [UInt64: Account] {
        let store = try AccountStore(fileSystem)
        var accounts: [UInt64: Account] = [:]
        for number in 1...20 {
            let account = Account(
                email: number % 3 == 0 ? nil : "\(number)", code: Int64(number),
                city: "city \(number % 4)", level: Int32(number))
            accounts[try store.put(account)] = account
        }
        try store.remove(11)
        accounts[11] = nil
        try store.engine.close()
        return accounts
    }

    private func open(
        _ fileSystem: any FileSystem, version: UInt64 = 1, _ migrations: EntityMigration...,
        stepCount: Int = stepCount, indexes: [IndexDeclaration] = AccountStore.all
    ) throws -> AccountStore {
        try AccountStore(fileSystem, indexes: indexes, version: version, migrations: migrations) {
            $0.migrationStep.count = stepCount
        }
    }

    private func raising(
        toVersion version: UInt64 = 1, by difference: Int64 = 100
    ) -> EntityMigration {
        AccountStore.transformation(toVersion: version) { _, code in code + difference }
    }

    private func raised(
        _ accounts: [UInt64: Account], by difference: Int64 = 100
    ) -> [UInt64: Account] {
        accounts.mapValues { account in
            var account = account
            account.code += difference
            return account
        }
    }

    /// A migration whose conversion of an object throws.
    private func failing(at id: UInt64, version: UInt64 = 1) -> EntityMigration {
        AccountStore.transformation(toVersion: version) { other, code in
            if other == id { throw Difference(what: "object \(id)") }
            return code + 100
        }
    }

    /// Leaves a store whose migration has converted the objects below 10.
    private func interrupted(_ fileSystem: any FileSystem) throws {
        expectError(.migrationFailed) { _ = try open(fileSystem, failing(at: 12)) }
    }

    @Test func `a large migration is committed in steps, and the last one raises the version`()
        throws
    {
        let accounts = try filled(fileSystem)
        let states = Mutex<[MemoryFileSystem]>([])
        let files = fileSystem
        let before = try AccountStore(fileSystem, access: .read).engine.visibleSequence
        let migration = AccountStore.transformation(toVersion: 1) { _, code in
            states.withLock { $0.append(files.afterKill()) }
            return code + 100
        }
        let store = try open(fileSystem, migration)
        // One commit begins the migration, seven convert 19 objects, and one ends it.
        #expect(try store.engine.visibleSequence == before + 9)
        #expect(store.engine.schemas.schema.version == 1)
        #expect(store.engine.schemas.schema.migrations.isEmpty)
        let expected = raised(accounts)
        #expect(try store.all() == expected)
        try store.checkIndexes(expected)
        try store.closeProven()
        // The attempt in one transaction defines a layout, converts two objects, and rolls back.
        for (count, state) in states.withLock({ $0 }).dropFirst(2).enumerated() {
            let reader = try AccountStore(state, access: .read, version: 1)
            #expect(reader.engine.schemas.schema.version == 0)
            let converted = accounts.keys.sorted().prefix(count / 3 * 3)
            var mixed = accounts
            for id in converted { mixed[id] = expected[id] }
            #expect(try reader.all() == mixed, "after \(count) objects")
            try reader.engine.close()
        }
        #expect(states.withLock { $0.count } == 2 + 19)
    }

    @Test
    func `a migration that is killed after any write continues, and converts no object twice`()
        throws
    {
        let disk = MemoryFileSystem(recording: true)
        let accounts = try filled(disk)
        let first = disk.operationCount
        try open(disk, raising()).engine.close()
        let expected = raised(accounts)
        for operation in first...disk.operationCount {
            let killed = disk.afterKill(at: operation)
            // Killed again in the continuation.
            try? open(killed, failing(at: UInt64(operation % 25))).engine.close()
            let store = try open(killed.afterKill(), raising())
            #expect(try store.all() == expected, "operation \(operation)")
            #expect(store.engine.schemas.schema.version == 1)
            try store.checkIndexes(expected)
            try store.closeProven()
        }
        #expect(disk.operationCount > first + 9)
    }

    @Test
    func `a migration that fits in a step is one transaction, and changes nothing if it fails`()
        throws
    {
        let accounts = try filled(fileSystem)
        let start = try AccountStore(fileSystem)
        let before = try start.engine.visibleSequence
        try start.engine.close()
        let error = expectError(.migrationFailed) {
            _ = try open(fileSystem, failing(at: 12), stepCount: 30)
        }
        #expect(error?.details == ["entity": "Account", "id": "12"])
        let unchanged = try AccountStore(fileSystem)
        #expect(try unchanged.all() == accounts)
        #expect(try unchanged.engine.visibleSequence == before)
        try unchanged.engine.close()
        let store = try open(fileSystem, raising(), stepCount: 30)
        #expect(try store.engine.visibleSequence == before + 1)
        #expect(try store.all() == raised(accounts))
        try store.closeProven()
    }

    @Test func `a step that fails leaves the steps before, and the next opening continues`() throws
    {
        let accounts = try filled(fileSystem)
        let error = expectError(.migrationFailed) { _ = try open(fileSystem, failing(at: 12)) }
        #expect(error?.details == ["entity": "Account", "id": "12", "nextId": "10"])
        #expect(error?.message.contains("continues with object 10") == true)
        let ids = Mutex<[UInt64]>([])
        let corrected = AccountStore.transformation(toVersion: 1) { id, code in
            ids.withLock { $0.append(id) }
            return code + 100
        }
        let store = try open(fileSystem, corrected, stepCount: 4)
        #expect(ids.withLock { $0 } == Array(10...20).filter { $0 != 11 })
        #expect(try store.all() == raised(accounts))
        try store.closeProven()
    }

    @Test func `the size of rows limits a step, too`() throws {
        let start = try AccountStore(fileSystem)
        var accounts: [UInt64: Account] = [:]
        for number in 1...20 {
            let city = String(repeating: "x", count: 200)
            let account = Account(email: "\(number)", code: Int64(number), city: city)
            accounts[try start.put(account)] = account
        }
        try start.engine.close()
        let store = try AccountStore(fileSystem, version: 1, migrations: [raising()]) {
            $0.migrationStep.bytes = 1000
            // The whole migration exceeds the limit of a transaction.
            $0.log.transactionBytesMax = 2500
        }
        #expect(try store.all() == raised(accounts))
        try store.closeProven()
    }

    @Test func `objects may exchange unique values between steps, and may be removed`() throws {
        for indexes in [AccountStore.all, [AccountStore.primaryCode, AccountStore.email]] {
            let files = MemoryFileSystem()
            let start = try AccountStore(files, indexes: indexes)
            var accounts: [UInt64: Account] = [:]
            for number in 1...20 {
                let account = Account(email: "\(number)", code: Int64(number))
                accounts[try start.put(account)] = account
            }
            try start.engine.close()
            let reversing = AccountStore.transformation(toVersion: 1) { id, code in
                id % 5 == 0 ? nil : 21 - code
            }
            for (id, account) in accounts {
                accounts[id]?.code = 21 - account.code
                if id % 5 == 0 { accounts[id] = nil }
            }
            let store = try open(files, reversing, indexes: indexes)
            #expect(try store.all() == accounts)
            try store.checkIndexes(accounts)
            expectError(.uniqueViolation) { try store.put(Account(email: "new", code: 20)) }
            try store.closeProven()
        }
    }

    @Test func `equal values after the last step are refused, and a later version corrects them`()
        throws
    {
        var accounts = try filled(fileSystem)
        let equal = AccountStore.transformation(toVersion: 1) { id, code in id == 17 ? 2 : code }
        for _ in 0..<2 {
            let error = expectError(.uniqueViolation) { _ = try open(fileSystem, equal) }
            #expect(error?.message.contains("higher version") == true)
            #expect(error?.details["id"] == "17")
        }
        // An older program cannot open the store for writing.
        expectError(.schemaTooNew) { _ = try AccountStore(fileSystem) }
        let correcting = AccountStore.transformation(toVersion: 2) { id, code in
            id == 17 ? 170 : code
        }
        let store = try open(fileSystem, version: 2, equal, correcting)
        accounts[17]?.code = 170
        #expect(try store.all() == accounts)
        #expect(store.engine.schemas.schema.version == 2)
        try store.checkIndexes(accounts)
        try store.closeProven()
    }

    @Test func `a program with a later version finishes the migration before its own`() throws {
        let accounts = try filled(fileSystem)
        try interrupted(fileSystem)
        let store = try open(
            fileSystem, version: 3, raising(), raising(toVersion: 3, by: 1000))
        #expect(try store.all() == raised(accounts, by: 1100))
        #expect(store.engine.schemas.schema.version == 3)
        try store.checkIndexes(raised(accounts, by: 1100))
        try store.closeProven()
    }

    @Test func `a program without the conversions of an unfinished migration is refused`() throws {
        let accounts = try filled(fileSystem)
        try interrupted(fileSystem)
        expectError(.schemaTooNew) { _ = try AccountStore(fileSystem) }
        for migrations in [[], [raising(), raising()], [raising(toVersion: 2)]] {
            let error = expectError(.schemaMismatch) {
                _ = try AccountStore(fileSystem, version: 2, migrations: migrations)
            }
            #expect(error?.details["step"] == "transformation to version 1")
            #expect(error?.details["nextId"] == "10")
        }
        let store = try open(fileSystem, raising())
        #expect(try store.all() == raised(accounts))
        try store.closeProven()
    }

    @Test func `an unfinished migration survives snapshots, compactions and a kill`() throws {
        let accounts = try filled(fileSystem)
        try interrupted(fileSystem)
        let engine = try Engine.open(AccountStore.path, fileSystem)
        try engine.writeSnapshotAndPrune()
        _ = try engine.compact(.latest)
        try engine.writeSnapshotAndPrune()
        try engine.close()
        let store = try open(fileSystem.afterKill(), raising())
        #expect(try store.all() == raised(accounts))
        try store.closeProven()
    }

    @Test func `a follower reads the objects of both layouts while a migration proceeds`() throws {
        let accounts = try filled(fileSystem)
        let reader = try AccountStore(fileSystem, access: .read)
        #expect(try reader.all() == accounts)
        try interrupted(fileSystem)
        #expect(try reader.engine.refresh())
        let expected = raised(accounts)
        let mixed = try reader.all()
        for (id, account) in mixed {
            #expect(account == (id < 10 ? expected[id] : accounts[id]))
        }
        #expect(mixed.count == accounts.count)
        try open(fileSystem, raising()).engine.close()
        #expect(try reader.engine.refresh())
        #expect(try reader.all() == expected)
        try reader.closeProven()
    }

    @Test func `the objects of removed entities are deleted in steps`() throws {
        var accounts = try filled(fileSystem)
        let notes = try NoteStore(fileSystem, path: AccountStore.path)
        for number in 1...10 { try notes.put("\(number)") }
        let before = try notes.engine.visibleSequence
        try notes.engine.close()
        let store = try open(fileSystem, raising(), EntityMigration("Note", .delete))
        accounts = raised(accounts)
        #expect(try store.all() == accounts)
        let note = try #require(store.engine.schemas.schema.entity(named: "Note"))
        #expect(store.engine.trees.withLock { $0.applied.counts[note.id]?.objectCount } == 0)
        // Four deletions, one without an effect, and nine commits of the conversion.
        #expect(try store.engine.visibleSequence == before + 4 + 9)
        try store.closeProven()
        // Without a conversion, too.
        let other = MemoryFileSystem()
        let again = try NoteStore(other, path: AccountStore.path)
        for number in 1...10 { try again.put("\(number)") }
        let then = try again.engine.visibleSequence
        try again.engine.close()
        let last = try open(other, version: 0, EntityMigration("Note", .delete))
        // Four deletions, and the layout of the accounts.
        #expect(try last.engine.visibleSequence == then + 4 + 1)
        try last.closeProven()
    }

    @Test func `undoing one step restores its objects only`() throws {
        let accounts = try filled(fileSystem)
        try interrupted(fileSystem)
        let reader = try AccountStore(fileSystem, access: .read)
        let last = try reader.engine.visibleSequence
        try reader.engine.close()
        let store = try open(fileSystem, raising(), indexes: AccountStore.all)
        _ = try store.engine.undo(last...last)
        let expected = raised(accounts)
        for (id, account) in try store.all() {
            #expect(account == ((7...9).contains(id) ? accounts[id] : expected[id]))
        }
        try store.closeProven()
    }
}
