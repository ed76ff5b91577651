import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
import DaybookRecords
import DaybookTestSupport
import Synchronization
import Testing

/// Indexes of a read-only store: queries work before the indexes are built, and closing does not
/// wait for them.
@Suite struct FollowerIndexTests {
    private let fileSystem = MemoryFileSystem()

    private func writer(_ indexes: [IndexDeclaration]) throws -> AccountStore {
        try AccountStore(fileSystem, indexes: indexes)
    }

    private func reader(_ fileSystem: any FileSystem) throws -> AccountStore {
        try AccountStore(fileSystem, indexes: [], access: .read) {
            $0.isMaintenanceAutomatic = true
        }
    }

    private func fill(_ store: AccountStore, _ count: Int) throws -> [UInt64: Account] {
        var accounts: [UInt64: Account] = [:]
        try store.engine.write { transaction in
            for number in 1...count {
                let account = Account(
                    email: "\(number)", code: Int64(number), city: "city \(number % 7)")
                accounts[try store.put(account, in: transaction)] = account
            }
        }
        return accounts
    }

    private let plain = [AccountStore.place, AccountStore.city]

    @Test func `a reader opens without indexes that may be incomplete`() throws {
        var store = try writer([])
        let accounts = try fill(store, 3_000)
        try store.engine.writeSnapshot()
        try store.engine.close()
        // The writer is killed before it has built them.
        store = try writer(plain)
        let killed = fileSystem.afterKill()
        let reader = try reader(killed)
        #expect(reader.engine.openReport.replayedChangeCount == 0)
        reader.engine.maintenance.sync {}
        #expect(reader.engine.indexProgress.isEmpty && reader.engine.maintenanceFailure == nil)
        let same = try AccountStore(killed, indexes: plain, access: .read)
        #expect(same.engine.openReport.replayedChangeCount == accounts.count)
        #expect(try same.engine.stateHash() == reader.engine.stateHash())
        try reader.closeProven()
        try same.checkIndexes(accounts)
        try same.closeProven()
        try store.closeProven()
    }

    @Test func `a reader builds indexes that its writer adds, and stops when it is closed`() throws
    {
        let store = try writer([])
        let accounts = try fill(store, 5_000)
        let (one, other) = (try reader(fileSystem), try reader(fileSystem))
        let stopped = one.engine
        let sliceCount = Mutex(0)
        stopped.onIndexProgress { [weak stopped] _ in
            sliceCount.withLock { $0 += 1 }
            try? stopped?.close()
        }
        try AccountStoreChange.register(plain, in: store)
        #expect(try one.engine.refresh() && other.engine.refresh())
        one.engine.maintenance.sync {}
        #expect(!one.engine.isOpen)
        // One call per index, after the first slice.
        #expect(sliceCount.withLock { $0 } == 2)
        #expect(one.engine.indexProgress.count == 2)
        other.engine.maintenance.sync {}
        #expect(other.engine.indexProgress.isEmpty && other.engine.maintenanceFailure == nil)
        try other.closeProven()
        while try store.engine.buildIndexSlice() {}
        #expect(try store.all() == accounts)
        try store.closeProven()
    }

    @Test func `a required index build of a reader ends when the reader is closed`() throws {
        let store = try writer([])
        _ = try fill(store, 5_000)
        let hooked = ReadHook(base: fileSystem)
        let reader = try reader(hooked)
        try AccountStoreChange.register([AccountStore.email], in: store)
        let engine = reader.engine
        hooked.hook.withLock { hook in
            hook = { engine.lifecycle.withLock { $0 = .closed } }
        }
        do {
            try engine.refresh()
            Issue.record("it took over all")
        } catch { #expect(error.code == .closed) }
        hooked.hook.withLock { $0 = nil }
        try store.closeProven()
    }
}

private enum AccountStoreChange {
    /// Declares other indexes, like the next release of the program.
    static func register(_ indexes: [IndexDeclaration], in store: AccountStore) throws {
        _ = try store.engine.register([AccountStore.declaration(indexes)])
    }
}

/// A file system that calls a closure before each read.
private final class ReadHook: ForwardingFileSystem {
    let base: any FileSystem
    let hook = Mutex<(@Sendable () -> Void)?>(nil)

    init(base: any FileSystem) { self.base = base }

    func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        HookedFile(base: try base.open(path, mode), disk: self)
    }
}

private final class HookedFile: ForwardingFile {
    let base: any File
    private let disk: ReadHook

    init(base: any File, disk: ReadHook) {
        self.base = base
        self.disk = disk
    }

    func read(_ count: Int, at offset: Int) throws(DaybookError) -> [UInt8] {
        let hook = disk.hook.withLock { $0 }
        hook?()
        return try base.read(count, at: offset)
    }
}
