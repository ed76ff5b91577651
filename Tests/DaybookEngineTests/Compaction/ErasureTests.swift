import DaybookBytes
@testable import DaybookEngine
@testable import DaybookLog
import DaybookMaintenance
import DaybookRecords
import DaybookTesting
import DaybookTestSupport
import Testing

/// Erasures: the files, the history of other objects, and interruptions.
@Suite struct ErasureTests {
    private static let secret = "xq7-secret-value"

    private func accounts(
        _ fileSystem: any FileSystem, indexes: [IndexDeclaration] = AccountStore.every
    ) throws -> AccountStore {
        try AccountStore(fileSystem, indexes: indexes) {
            $0.log.segmentSizeBytes = 4 << 10
            $0.snapshotChangeCountMin = 1
        }
    }

    private static func account(_ number: Int, _ text: String = "city") -> Account {
        Account(email: "\(text)\(number)@example", code: Int64(number), city: "\(text) \(number)")
    }

    /// Puts some accounts in several versions, with snapshots and compressed segments between.
    /// Account 7 has secrets in all versions.
    private func fill(_ store: AccountStore, changesCodes: Bool = true) throws {
        for round in 0..<3 {
            for number in 1...20 {
                let text = number == 7 ? "\(Self.secret)\(round)" : "city\(round)"
                try store.put(
                    Self.account(number + (changesCodes ? 100 * round : 0), text),
                    id: round == 0 ? 0 : UInt64(number))
            }
            try store.engine.writeSnapshot()
            if round == 0 { _ = try store.engine.compact(.all, sealsActive: true) }
        }
    }

    private func erase(
        _ store: AccountStore, _ ids: [UInt64], _ properties: [String] = []
    ) throws -> ErasureReport {
        try store.engine.erase(
            ErasureRequest("Account", ids: ids, properties: properties),
            metadata: ["author": "ada"])
    }

    private func history(_ store: AccountStore, _ id: UInt64) throws -> [Account?] {
        var versions: [Account?] = []
        var history = try store.engine.history(of: store.entity, id: id)
        while let version = try history.next() {
            versions.append(try version.row.map { try store.account(of: $0) })
        }
        return versions
    }

    private func files(_ memory: MemoryFileSystem) throws -> [String] {
        try StoredTexts.files(containing: Self.secret, memory, path: AccountStore.path)
    }

    @Test func `an erased object leaves all files, and others keep their history`() throws {
        let memory = MemoryFileSystem()
        let store = try accounts(memory)
        try fill(store)
        #expect(try files(memory).count > 3)
        let before = try (1...20).map { try history(store, UInt64($0)) }
        let all = try store.all()
        let plan = try store.engine.planErasure(ErasureRequest("Account", ids: [7]))
        #expect(try store.all() == all)
        let report = try erase(store, [7])
        #expect(report.versionCount == 3 && report.objectCounts == ["Account": 1])
        #expect(plan.versionCount == 3 && plan.segmentCount == report.segmentCount)
        #expect(report.heldBytes == 0)
        #expect(try files(memory) == [])
        #expect(try store.account(7) == nil)
        #expect(try history(store, 7) == [nil])
        for id in 1...20 where id != 7 { #expect(try history(store, UInt64(id)) == before[id - 1]) }
        let erasures = try store.engine.erasures()
        #expect(erasures.count == 1 && erasures.first?.isFinished == true)
        #expect(erasures.first?.metadata == ["author": "ada"])
        #expect(erasures.first?.objectCount == 1 && erasures.first?.entity == "Account")
        #expect(store.engine.unfinishedErasures.isEmpty)
        try store.engine.proveReplay()
        try store.engine.close()
        #expect(try Engine.verify(AccountStore.path, memory).findings.isEmpty)
        let again = try accounts(memory)
        #expect(try again.engine.erasures() == erasures)
        #expect(try again.all() == all.filter { $0.key != 7 })
        // The id is not assigned again.
        #expect(try again.put(Self.account(999)) == 21)
        try again.engine.close()
    }

    @Test func `past states do not contain an erased object`() throws {
        let memory = MemoryFileSystem()
        let store = try accounts(memory)
        try fill(store)
        let last = store.engine.log.lastSequence
        _ = try erase(store, [7])
        for way in [PastWay.rewind, .replay] {
            for sequence in [last, last - 25, 30] {
                let view = try store.engine.pastView(at: sequence, by: way)
                #expect(try view.row(store.entity, 7) == nil)
                #expect(try view.row(store.entity, 6) != nil)
            }
        }
        try store.engine.close()
    }

    @Test func `an object that was removed before is erased, and one that is put again stays`()
        throws
    {
        let memory = MemoryFileSystem()
        let store = try accounts(memory)
        try fill(store)
        try store.remove(7)
        let report = try erase(store, [7, 7, 5000])
        #expect(report.objectCount == 1 && report.versionCount == 4)
        #expect(try files(memory) == [])
        try store.put(Self.account(7, "new"), id: 7)
        #expect(try erase(store, [8]).versionCount == 3)
        #expect(try history(store, 7) == [Self.account(7, "new"), nil])
        try store.engine.proveReplay()
        try store.engine.close()
        #expect(try Engine.verify(AccountStore.path, memory).findings.isEmpty)
    }

    @Test func `values of properties are erased from all versions`() throws {
        let memory = MemoryFileSystem()
        let store = try accounts(memory)
        try fill(store)
        let before = try history(store, 8)
        let report = try erase(store, [7], ["email", "city"])
        #expect(report.versionCount == 3 && report.objectCount == 1)
        #expect(try files(memory) == [])
        let versions = try history(store, 7)
        #expect(versions.count == 4)
        #expect(versions.allSatisfy { $0?.email == nil && $0?.city == "" })
        #expect(versions.map { $0?.code } == [207, 207, 107, 7])
        #expect(try history(store, 8) == before)
        #expect(try store.engine.erasures().first?.properties == ["city", "email"])
        // The second time, no version has a value.
        #expect(try erase(store, [7], ["city", "email"]).versionCount == 0)
        try store.engine.proveReplay()
        try store.engine.close()
        #expect(try Engine.verify(AccountStore.path, memory).findings.isEmpty)
    }

    @Test func `a refused erasure changes nothing`() throws {
        let memory = MemoryFileSystem()
        let store = try accounts(memory, indexes: [AccountStore.primaryCode])
        try fill(store, changesCodes: false)
        let (sequence, files) = (store.engine.log.lastSequence, memory.contents)
        expectError(.invalidArgument) { _ = try self.erase(store, [7], ["code"]) }
        expectError(.invalidArgument) { _ = try self.erase(store, [7], ["none"]) }
        expectError(.invalidArgument) {
            _ = try store.engine.erase(ErasureRequest("None", ids: [7]))
        }
        expectError(.invalidArgument) {
            try store.engine.write { _ in _ = try self.erase(store, [7]) }
        }
        #expect(store.engine.log.lastSequence == sequence && memory.contents == files)
        try store.engine.close()
    }

    @Test func `files in the quarantine are removed on request only`() throws {
        let memory = MemoryFileSystem()
        let store = try accounts(memory)
        try fill(store)
        let quarantine = Quarantine(fileSystem: memory, directory: AccountStore.path)
        _ = try quarantine.keep(Array(Self.secret.utf8), "tail")
        expectError(.invalidArgument) { _ = try self.erase(store, [7]) }
        #expect(try store.account(7) != nil)
        let report = try store.engine.erase(
            ErasureRequest("Account", ids: [7]), removesQuarantine: true)
        #expect(report.quarantineFileCount == 1)
        #expect(try files(memory) == [])
        try store.engine.close()
    }

    @Test func `a reader keeps the replaced files until it ends`() throws {
        let memory = MemoryFileSystem()
        let store = try accounts(memory)
        try fill(store)
        let entity = store.entity
        let view = try store.engine.view(until: nil)
        let report = try erase(store, [7])
        #expect(try view.row(entity, 7) != nil)
        #expect(report.heldBytes > 0)
        #expect(try files(memory) == [])
        try store.engine.close()
    }

    /// After each operation of the file system, another process finds the store and resumes.
    @Test(arguments: [[], ["email", "city"]])
    func `an erasure that was killed is resumed`(properties: [String]) throws {
        let recording = MemoryFileSystem(recording: true)
        let store = try accounts(recording)
        try fill(store)
        try store.put(Self.account(500, "other"), id: 6)
        let first = recording.operationCount
        let others = try store.all().filter { $0.key != 7 }
        let history6 = try history(store, 6)
        let sequence = store.engine.log.lastSequence
        _ = try erase(store, [7], properties)
        let last = recording.operationCount
        try store.engine.close()
        var resumedCount = 0
        for operation in stride(from: first, through: last, by: 3) {
            let memory = recording.afterKill(at: operation)
            #expect(
                try Engine.verify(AccountStore.path, memory).severity != .corruption,
                "killed at \(operation)")
            let again = try accounts(memory)
            let isCommitted = again.engine.log.lastSequence > sequence
            if !again.engine.unfinishedErasures.isEmpty { resumedCount += 1 }
            try again.engine.finishErasures()
            #expect(try files(memory).isEmpty == isCommitted, "killed at \(operation)")
            #expect(try again.all().filter { $0.key != 7 } == others, "killed at \(operation)")
            #expect(try history(again, 6) == history6)
            #expect(try again.engine.erasures().allSatisfy(\.isFinished))
            try again.engine.proveReplay()
            try again.engine.close()
        }
        #expect(resumedCount > 10)
    }
}
