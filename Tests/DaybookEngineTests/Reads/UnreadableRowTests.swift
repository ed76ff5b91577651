import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
import DaybookRecords
import DaybookPages
import DaybookTestSupport
import Synchronization
import Testing

/// Unreadable rows, and indexes that need them: other objects are not affected.
@Suite struct UnreadableRowTests {
    private let fileSystem = MemoryFileSystem()

    /// The objects in the damaged frame.
    private let lost = UInt64(11)...20

    private func account(_ id: UInt64) -> Account {
        Account(
            email: "mail-\(id)@example.com", code: Int64(id), city: "city \(id % 7)",
            level: Int32(id % 3))
    }

    /// Creates thirty accounts, ten per frame, and a snapshot of all.
    private func fill(_ indexes: [IndexDeclaration]) throws -> [UInt64: Account] {
        let store = try AccountStore(fileSystem, indexes: indexes)
        defer { try? store.engine.close() }
        var accounts: [UInt64: Account] = [:]
        for start in [UInt64(1), 11, 21] {
            try store.engine.write { transaction in
                for id in start..<(start + 10) {
                    accounts[try store.put(account(id), in: transaction)] = account(id)
                }
            }
        }
        try store.engine.writeSnapshot()
        return accounts
    }

    /// Returns the current store with a flipped bit in the frame of ``lost``.
    private func damaged() throws -> MemoryFileSystem {
        let path = try #require(fileSystem.paths("segment-").last)
        let text = Array("mail-15@example.com".utf8)
        var place: Int?
        let damaged = fileSystem.afterKill(changing: path) { bytes in
            place = bytes.indices.first { Array(bytes[$0...].prefix(text.count)) == text }
            if let place { bytes[place] ^= 1 }
        }
        _ = try #require(place)
        return damaged
    }

    private func code(_ body: () throws -> Void) -> DaybookError.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? DaybookError)?.code }
    }

    private func finish(_ store: AccountStore) throws {
        while try store.engine.buildIndexSlice(limit: 7) {}
    }

    @Test func `new indexes over unreadable objects lack only these objects, and report them`()
        throws
    {
        var accounts = try fill([])
        let store = try AccountStore(try damaged())
        try finish(store)
        #expect(store.engine.indexProgress.count == 4)
        #expect(store.engine.indexProgress.allSatisfy { $0.fraction < 1 })
        let failure = try #require(store.engine.maintenanceFailure)
        #expect(failure.code == .corruption)
        #expect(failure.details["id"] == "11" && failure.details["count"] == "10")
        for id in UInt64(1)...30 where !lost.contains(id) {
            #expect(try store.find("email", of: account(id)) == id)
            #expect(try store.account(id) == account(id))
        }
        // An unknown value may belong to an unreadable object.
        for id in [UInt64(12), 99] {
            #expect(code { _ = try store.find("email", of: self.account(id)) } == .corruption)
            #expect(code { try store.put(self.account(id)) } == .corruption)
        }
        try store.engine.read { view in
            let row = try store.row(account(12))
            let key = try IndexKey(
                [0], of: row.span, store.engine.schemas.rowLayout(store.layout.layoutID))
            #expect(
                code {
                    _ = try view.find(
                        store.entity, index: store.number(["email"]), key, store.engine.schemas)
                } == .corruption)
        }
        // An object that keeps its keys may be changed, and any object may be removed.
        accounts[3]?.city = "moved"
        try store.put(accounts[3] ?? Account(), id: 3)
        for id in lost.dropLast(2) {
            #expect(try store.remove(id))
            accounts[id] = nil
        }
        // Replaces the last two of them at once: then no key is unknown.
        try store.engine.write { transaction in
            _ = try transaction.changes.remove(store.entity, 19)
            #expect(code { try store.put(self.account(20), in: transaction) } == .corruption)
            _ = try transaction.changes.remove(store.entity, 20)
            try store.put(account(20), id: 20, in: transaction)
        }
        accounts[19] = nil
        #expect(store.engine.indexProgress.isEmpty && store.engine.maintenanceFailure == nil)
        #expect(try store.find("email", of: account(12)) == nil)
        try store.checkIndexes(accounts)
        #expect(try store.all() == accounts)
        try store.engine.close()
    }

    @Test(arguments: [Engine.Access.write, .read])
    func `an opening builds indexes without the rows that it cannot read`(
        access: Engine.Access
    ) throws {
        var accounts = try fill([])
        let files = try damaged()
        try AccountStore(files).engine.close()
        let store = try AccountStore(files, access: access)
        if access == .write { try finish(store) }
        #expect(store.engine.openReport.snapshotSequence == 4)
        #expect(store.engine.openReport.incompleteIndexes.count == 4)
        #expect(store.engine.indexProgress.count == 4)
        #expect(try store.find("email", of: account(30)) == 30)
        #expect(code { _ = try store.find("email", of: self.account(12)) } == .corruption)
        try store.engine.close()
        guard access == .write else { return }
        // A snapshot records the missing objects too; a put with the id resolves it like a removal.
        var next = try AccountStore(files)
        try finish(next)
        try next.engine.writeSnapshot()
        try next.engine.close()
        next = try AccountStore(files)
        #expect(next.engine.openReport.replayedChangeCount == 0)
        #expect(next.engine.openReport.incompleteIndexes.count == 4)
        try next.engine.write { transaction in
            for id in lost { _ = try transaction.changes.remove(next.entity, id) }
            for id in lost {
                accounts[id] = account(id + 100)
                try next.put(account(id + 100), id: id, in: transaction)
            }
        }
        try next.checkIndexes(accounts)
        #expect(next.engine.indexProgress.isEmpty)
        try next.engine.close()
        // A reader and the next opening derive the same from the log.
        for access in [Engine.Access.read, .write] {
            let last = try AccountStore(files, access: access)
            #expect(last.engine.openReport.incompleteIndexes.isEmpty)
            #expect(last.engine.indexProgress.isEmpty)
            try last.checkIndexes(accounts)
            try last.engine.close()
        }
    }

    @Test(arguments: [Engine.Access.write, .read])
    func `an opening finds the index entries of a replaced row that is unreadable`(
        access: Engine.Access
    ) throws {
        var accounts = try fill(AccountStore.all)
        let store = try AccountStore(fileSystem)
        try store.remove(11)
        accounts[11] = nil
        accounts[12] = account(120)
        try store.put(account(120), id: 12)
        accounts[3] = account(12)
        try store.put(account(12), id: 3)
        try store.closeProven()
        let again = try AccountStore(try damaged(), access: access)
        #expect(again.engine.openReport.replayedChangeCount > 0)
        #expect(again.engine.openReport.incompleteIndexes.isEmpty)
        try again.checkIndexes(accounts)
        #expect(code { _ = try again.account(13) } == .corruption)
        try again.engine.close()
    }

    @Test func `an opening records objects whose new rows are unreadable`() throws {
        var accounts = try fill(AccountStore.all)
        let store = try AccountStore(fileSystem)
        try store.engine.write { transaction in
            for id in UInt64(21)...30 { try store.put(account(id + 200), id: id, in: transaction) }
        }
        try store.closeProven()
        // The scan of the tail comes first and must succeed.
        var readCount = 0
        var opened: AccountStore?
        while opened == nil {
            readCount += 1
            try #require(readCount < 10)
            let failing = FailingReads(
                base: fileSystem.afterKill(), text: "mail-225@example.com", after: readCount)
            opened = try? AccountStore(failing) { $0.log.frameCacheBudgetBytes = 0 }
        }
        let again = try #require(opened)
        #expect(again.engine.openReport.incompleteIndexes.count == 4)
        #expect(code { _ = try again.find("email", of: self.account(25)) } == .corruption)
        #expect(code { _ = try again.find("email", of: self.account(225)) } == .corruption)
        #expect(try again.find("email", of: account(5)) == 5)
        for id in UInt64(21)...30 {
            try again.remove(id)
            accounts[id] = nil
        }
        try again.checkIndexes(accounts)
        #expect(again.engine.indexProgress.isEmpty)
        try again.engine.close()
    }

    @Test func `an object with an unreadable row can be replaced and removed`() throws {
        var accounts = try fill(AccountStore.all)
        let store = try AccountStore(try damaged())
        #expect(code { _ = try store.account(12) } == .corruption)
        try store.put(account(111), id: 11)
        accounts[11] = account(111)
        #expect(try store.remove(12))
        accounts[12] = nil
        try store.checkIndexes(accounts)
        // A put with the value of a remaining object is refused; with the value of a removed one it
        // is not.
        #expect(code { try store.put(self.account(13), id: 3) } == .uniqueViolation)
        try store.engine.write { transaction in
            _ = try transaction.changes.remove(store.entity, 13)
            #expect(try store.put(account(13), id: 3, in: transaction) == 3)
        }
        accounts[13] = nil
        accounts[3] = account(13)
        // A rolled-back removal keeps the value.
        try store.engine.write { transaction in
            let savepoint = transaction.savepoint()
            _ = try transaction.changes.remove(store.entity, 14)
            transaction.roll(backTo: savepoint)
            #expect(code { try store.put(self.account(14), in: transaction) } == .uniqueViolation)
        }
        // A conflicting object is removed as well.
        let new = try store.put(
            Account(email: account(15).email, code: 500), onConflict: ["email": .replace])
        accounts[15] = nil
        accounts[new] = Account(email: account(15).email, code: 500)
        try store.checkIndexes(accounts)
        #expect(store.engine.indexProgress.isEmpty && store.engine.maintenanceFailure == nil)
        try store.engine.close()
    }

    @Test func `the next opening adds objects that are readable again`() throws {
        let accounts = try fill([])
        let files = try damaged()
        var store = try AccountStore(files)
        try finish(store)
        try store.engine.writeSnapshot()
        try store.engine.close()
        // Flips the same bit again: the disk has recovered.
        let path = try #require(files.paths("segment-").last)
        let whole = fileSystem.afterKill().contents[path] ?? []
        let mended = files.afterKill(changing: path) { bytes in
            for index in whole.indices where whole[index] != 0 && index < bytes.count {
                if bytes[index] != whole[index], bytes[index] ^ 1 == whole[index] {
                    bytes[index] ^= 1
                }
            }
        }
        store = try AccountStore(mended, access: .read)
        #expect(store.engine.openReport.snapshotSequence == 5)
        #expect(store.engine.openReport.incompleteIndexes.isEmpty)
        try store.checkIndexes(accounts)
        try store.closeProven()
        store = try AccountStore(mended) { $0.isMaintenanceAutomatic = true }
        store.engine.maintenance.sync {}
        #expect(store.engine.indexProgress.isEmpty && store.engine.maintenanceFailure == nil)
        try store.checkIndexes(accounts)
        try store.closeProven()
    }

    @Test func `a background index build continues after rows that it cannot read`() throws {
        _ = try fill([])
        let files = try damaged()
        let store = try AccountStore(files, indexes: [AccountStore.place, AccountStore.city]) {
            $0.isMaintenanceAutomatic = true
        }
        store.engine.maintenance.sync {}
        #expect(store.engine.maintenanceFailure?.details["property"] == "city, level")
        for index in store.layout.indexes {
            let count = try store.engine.slot.withPinned {
                try $0.count(IndexTree.index(index.indexID))
            }
            #expect(count == 20)
        }
        // They are not unique: the values of the other objects do not matter.
        try store.put(account(77))
        for id in lost { try store.remove(id) }
        #expect(store.engine.maintenanceFailure == nil && store.engine.indexProgress.isEmpty)
        try store.engine.close()
    }

    @Test func `a reader with outdated trees ignores rows that it cannot read`() throws {
        _ = try fill([])
        let files = try damaged()
        let store = try AccountStore(files, indexes: [AccountStore.city])
        try finish(store)
        try store.engine.writeSnapshot()
        try store.engine.close()
        let reader = try AccountStore(files, indexes: [], access: .read) {
            $0.isMaintenanceAutomatic = true
        }
        reader.engine.maintenance.sync {}
        #expect(reader.engine.indexProgress.count == 1)
        reader.engine.trees.withLock { $0.isOutdated = true }
        reader.engine.buildIndexesIfDue()
        reader.engine.maintenance.sync {}
        #expect(reader.engine.indexProgress.count == 1)
        #expect(reader.engine.maintenanceFailure?.code == .corruption)
        try reader.engine.close()
    }

    @Test func `a store with unreadable rows can be verified`() throws {
        _ = try fill([])
        let files = try damaged()
        try AccountStore(files).engine.close()
        let report = try Engine.verify(AccountStore.path, files)
        #expect(report.severity == .corruption)
        #expect(report.sequence == 5 && report.findings.contains { $0.details["offset"] != nil })
    }
}

/// A file system that reads correctly for a number of reads of a given string, and then flips a
/// bit.
private struct FailingReads: ForwardingFileSystem {
    let base: any FileSystem
    let text: String
    let after: Int

    func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        let file = try base.open(path, mode)
        guard path.contains("segment-") else { return file }
        return FailingFile(base: file, text: Array(text.utf8), after: after)
    }
}

private final class FailingFile: ForwardingFile {
    let base: any File
    private let text: [UInt8]
    private let countLeft: Atomic<Int>

    init(base: any File, text: [UInt8], after count: Int) {
        self.base = base
        self.text = text
        countLeft = Atomic(count)
    }

    func read(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8] {
        var bytes = try base.read(count, at: offset)
        let place = bytes.indices.first { Array(bytes[$0...].prefix(text.count)) == text }
        guard let place else { return bytes }
        if countLeft.subtract(1, ordering: .relaxed).oldValue <= 0 { bytes[place] ^= 1 }
        return bytes
    }
}
