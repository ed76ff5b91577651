import DaybookBytes
@testable import DaybookEngine
import DaybookLog
import DaybookMaintenance
import DaybookTestSupport
import Testing

/// Erasures in replicas and backups.
@Suite(.timeLimit(.minutes(5))) struct ShippedErasureTests {
    private static let secret = "xq7-secret-value"

    private func files(_ memory: MemoryFileSystem, _ path: String) throws -> [String] {
        try StoredTexts.files(containing: Self.secret, memory, path: path)
            .filter { $0.hasPrefix(path + "/") || !$0.hasPrefix("/") }
    }

    private func fill(_ notes: NoteStore) throws {
        for number in 1...6 { try notes.put(number == 3 ? Self.secret : "note \(number)") }
        try notes.put("\(Self.secret), changed", id: 3)
    }

    @Test func `a follower erases an object from its own files`() throws {
        let memory = MemoryFileSystem()
        let (notes, shipping) = try LogShippingTests.writer(memory)
        let follower = try LogShippingTests.follower(memory, of: notes.engine.log.store)
        try fill(notes)
        try LogShippingTests.ship(from: notes.engine, to: follower)
        // The writer waits until the commit is shipped.
        let report = try notes.engine.erase(ErasureRequest("Note", ids: [3]))
        #expect(!report.isFinished && report.versionCount == 0)
        let erased = try #require(report.sequence)
        try notes.put("later")
        try LogShippingTests.ship(from: notes.engine, to: follower)
        notes.engine.didShip(through: notes.engine.log.lastSequence)
        #expect(shipping.shippedSequence > erased)
        #expect(try notes.engine.finishErasures().isFinished)
        #expect(try files(memory, "/a") == [])
        #expect(follower.unfinishedErasures == [erased])
        #expect(try files(memory, "/b").isEmpty == false)
        #expect(try follower.finishErasures().versionCount == 2)
        #expect(try files(memory, "/b") == [])
        #expect(try follower.stateHash() == notes.engine.stateHash())
        // Transactions that both have may differ now, and later ones follow.
        try notes.put("the end")
        let next = try #require(
            try notes.engine.shippedTransactions(after: 1, sizeBytesMax: 1 << 20))
        try follower.append(shipped: next.bytes, after: 1)
        #expect(try follower.stateHash() == notes.engine.stateHash())
        try follower.close()
        try notes.closeProven()
    }

    @Test func `the next run of a backup replaces the files with an erased object`() throws {
        let memory = MemoryFileSystem()
        let notes = try NoteStore(memory)
        try fill(notes)
        try notes.engine.backup(to: "/backup")
        #expect(try files(memory, "/backup").isEmpty == false)
        _ = try notes.engine.erase(ErasureRequest("Note", ids: [3]))
        try notes.engine.backup(to: "/backup")
        #expect(try files(memory, "/backup") == [])
        try notes.closeProven()
        let store = try Engine.open("/backup", memory, access: .read, options: EngineOptions())
        #expect(try store.erasures().first?.isFinished == true)
        try store.close()
    }

    /// The files after a kill between the commit of an erasure and its end.
    private func interrupted() throws -> MemoryFileSystem {
        let recording = MemoryFileSystem(recording: true)
        let notes = try NoteStore(recording)
        try fill(notes)
        // The opening then reads no segment with the versions.
        try notes.engine.writeSnapshot()
        let sequence = notes.engine.log.lastSequence
        let first = recording.operationCount
        _ = try notes.engine.erase(ErasureRequest("Note", ids: [3]))
        let last = recording.operationCount
        try notes.engine.close()
        let files = try (first...last).lazy.map { recording.afterKill(at: $0) }.first { files in
            let engine = try Engine.open(
                NoteStore.path, files, access: .read, options: EngineOptions())
            defer { try? engine.close() }
            return engine.log.lastSequence > sequence && !engine.unfinishedErasures.isEmpty
        }
        return try #require(files)
    }

    @Test func `an opening resumes an erasure in the background`() async throws {
        let memory = try interrupted()
        let notes = try NoteStore(memory) { $0.isMaintenanceAutomatic = true }
        while !notes.engine.unfinishedErasures.isEmpty {
            try await Task.sleep(for: .milliseconds(1))
        }
        try notes.engine.close()
        #expect(try files(memory, NoteStore.path) == [])
    }

    @Test func `damage stops an erasure in the background, and a call names it`() async throws {
        let whole = try interrupted()
        let text = Array(Self.secret.utf8)
        let path = try #require(
            whole.paths("segment-").first { whole.contents[$0]?.contains(text) ?? false })
        let memory = whole.afterKill(changing: path) { bytes in
            let place = bytes.indices.first { bytes[$0...].starts(with: text) }
            if let place { bytes[place] ^= 1 }
        }
        let notes = try NoteStore(memory) { $0.isMaintenanceAutomatic = true }
        while notes.engine.maintenanceFailure == nil {
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(notes.engine.maintenanceFailure?.code == .corruption)
        #expect(notes.engine.canResumeErasures == false)
        #expect(notes.engine.unfinishedErasures.count == 1)
        let id = try notes.put("a commit")
        #expect(try notes.engine.writeSnapshot() == notes.engine.log.lastSequence)
        expectError(.corruption) { try notes.engine.finishErasures() }
        #expect(try notes.text(id) == "a commit")
        try notes.engine.close()
    }
}
