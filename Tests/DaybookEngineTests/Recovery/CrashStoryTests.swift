import DaybookBytes
@testable import DaybookEngine
@testable import DaybookLog
import DaybookPages
import DaybookTesting
import DaybookTestSupport
import Testing

/// Bugs that the campaigns of `Tools/fault` found, each as the shortest history that shows it.
@Suite struct CrashStoryTests {
    private static func small(_ options: inout EngineOptions) {
        options.log.segmentSizeBytes = 2 << 10
        options.log.preallocationStepBytes = 1 << 10
        options.snapshotChangeCountMin = .max
    }

    // The second opening found the preallocated end that the first had left, because a close
    // without a write took the end mark of the previous close for its own.
    @Test func `an opening that writes nothing closes cleanly, whatever state it found`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        try notes.put("one")
        try notes.closeProven()
        let segment = try #require(fileSystem.paths("segment").first)
        // The state that a crash leaves immediately after the next writer has preallocated the
        // segment.
        let found = fileSystem.afterKill(changing: segment) {
            $0 += [UInt8](repeating: 0, count: 4096)
        }
        try NoteStore(found).closeProven()
        let again = try NoteStore(found)
        #expect(again.engine.openReport.recovery.wasClosedCleanly)
        try again.closeProven()
    }

    // The manifest before the one that recovery wrote stayed until the second opening after it.
    @Test func `a recovery that rewrites the tail leaves one manifest`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        try notes.put("one")
        let found = fileSystem.afterKill()
        let recovered = try NoteStore(found)
        #expect(recovered.engine.openReport.recovery.rewrittenFrameCount > 0)
        #expect(found.paths("manifest").count == 1)
        try recovered.closeProven()
        try notes.closeProven()
    }

    // A snapshot named the active segment although it was empty. Recovery replaced that segment,
    // and the next opening had to read the whole log.
    @Test func `a snapshot that was written right after a roll survives a recovery`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem, Self.small)
        for number in 0..<20 { try notes.put("note \(number)") }
        _ = try notes.engine.compact(.all, sealsActive: true)
        let sequence = try notes.engine.writeSnapshot()
        try notes.put("after the snapshot")
        let found = fileSystem.afterKill()
        try NoteStore(found, Self.small).closeProven()
        let again = try NoteStore(found, Self.small)
        #expect(again.engine.openReport.snapshotSequence == sequence)
        try again.closeProven()
        try notes.closeProven()
    }

    // The process died between replacing CURRENT and the sync of the directory. The next process
    // trusted the new name and removed files that the old one needs; then a power cut restored the
    // old name.
    @Test func `a kill and then a power cut lose no acknowledged commit`() throws {
        let fileSystem = MemoryFileSystem(recording: true)
        let notes = try NoteStore(fileSystem, Self.small)
        for number in 0..<12 {
            try notes.put("note \(number) " + String(repeating: "x", count: 200))
        }
        let expected = try notes.all()
        let before = fileSystem.operationCount
        _ = try notes.engine.compact(.latest)
        try notes.closeProven()

        var imageCount = 0
        for operation in before...fileSystem.operationCount {
            let found = fileSystem.afterKill(at: operation)
            let next = try NoteStore(found, Self.small)
            try found.visitCrashImages(after: found.operationCount, seed: 1, randomCount: 4) {
                imageCount += 1
                let last = try NoteStore($0.makeFileSystem(), Self.small)
                #expect(try last.all() == expected, "\($0)")
                try last.closeProven()
            }
            try next.closeProven()
        }
        #expect(imageCount > 100)
    }

    // A roll committed its manifest and then failed to read the new segment's header. The next
    // commit sealed the old segment again, and the log contained a sequence twice.
    @Test func `a roll that fails at any call is repeated`() throws {
        var failureCount = 0
        for call in 1... {
            let base = MemoryFileSystem()
            let notes = try NoteStore(base, Self.small)
            try notes.put("first " + String(repeating: "x", count: 1500))
            try notes.closeProven()

            let failing = FaultFileSystem(
                base, failingCall: call, fault: .errno(28), persistence: .once)
            guard let store = try? NoteStore(failing, Self.small) else { continue }
            guard var expected = try? store.all() else { continue }
            for text in ["second " + String(repeating: "y", count: 1500), "third"] {
                do {
                    expected[try store.put(text)] = text
                } catch DaybookError.Code.outOfSpace {
                    failureCount += 1
                    expected[try store.put(text)] = text
                } catch DaybookError.Code.durabilityUnknown {
                    // The next opening determines the result of a failed sync.
                    break
                }
            }
            let isStopped = store.engine.log.durability?.failure != nil
            try? store.engine.close()
            let again = try NoteStore(base, Self.small)
            let found = try again.all()
            for (id, text) in expected { #expect(found[id] == text, "call \(call)") }
            #expect(isStopped || found == expected, "call \(call)")
            try again.closeProven()
            if !failing.hasFailed { break }
        }
        #expect(failureCount > 5)
    }

    // After replacing CURRENT, only the sync of the directory determines which manifest a power cut
    // leaves. That sync failed, and the store continued with the old manifest.
    @Test func `a failed sync after replacing CURRENT stops the store`() throws {
        var stoppedCount = 0
        for call in 1... {
            let base = MemoryFileSystem()
            let failing = FaultFileSystem(
                base, failingCall: call, fault: .errno(5), persistence: .once,
                counting: [.syncDirectory])
            guard let notes = try? NoteStore(failing, Self.small) else { continue }
            var acknowledged: [UInt64: String] = [:]
            for number in 0..<12 {
                let text = "note \(number) " + String(repeating: "x", count: 300)
                guard let id = try? notes.put(text) else { break }
                acknowledged[id] = text
            }
            if notes.engine.log.durability?.failure != nil {
                stoppedCount += 1
                expectError(.durabilityUnknown) { try notes.put("more") }
            }
            try? notes.engine.close()
            let again = try NoteStore(base, Self.small)
            let found = try again.all()
            for (id, text) in acknowledged { #expect(found[id] == text) }
            try again.closeProven()
            if !failing.hasFailed { break }
        }
        #expect(stoppedCount > 1)
    }

    // The empty segment was removed before the segment with frames was checked.
    @Test func `a store without CURRENT and manifest is refused and not changed`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        try notes.put("one")
        try notes.closeProven()
        var files = fileSystem.contents
        files[NoteStore.path + "/CURRENT"] = nil
        for path in fileSystem.paths("manifest-") { files[path] = nil }
        let blank = StoreFileName.segment(firstSequence: 0, number: 99).text
        files[NoteStore.path + "/" + blank] = [UInt8](repeating: 0, count: 64)
        let found = MemoryFileSystem(contents: files)
        expectError(.corruption) { _ = try NoteStore(found) }
        #expect(found.contents == files)
    }

    // The catalog of a space that is opened from a snapshot counts its trees from zero. A tree that
    // became empty made the count negative, and the next new tree trapped.
    @Test func `a store opened from a snapshot may lose its last object and gain an entity`() throws
    {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        let id = try notes.put("one")
        try notes.engine.writeSnapshot()
        try notes.closeProven()

        let again = try NoteStore(fileSystem)
        #expect(again.engine.openReport.snapshotSequence != nil)
        try again.remove(id)
        // Drops the tombstone, and with it the last entry of the entity's tree.
        _ = try again.engine.compact(.latest)
        let next = try again.put("two")
        #expect(next > id)
        #expect(try again.all() == [next: "two"])
        try again.closeProven()
    }

    // A commit that met an unreadable page, while the log was unreadable too, left incompletely
    // changed trees, and the next commit trapped on them.
    @Test func `permanently failing reads give typed errors and lose nothing`() throws {
        let base = MemoryFileSystem()
        let notes = try NoteStore(base)
        for number in 0..<300 { try notes.put("note \(number)") }
        try notes.engine.writeSnapshot()
        try notes.closeProven()
        let files = base.contents

        var failureCount = 0
        for call in 1... {
            let copy = MemoryFileSystem(contents: files)
            let failing = FaultFileSystem(
                copy, failingCall: call, fault: .errno(5), persistence: .forever, counting: [.read])
            if let store = try? NoteStore(failing) {
                for id in [UInt64(7), 250] {
                    do { try store.put("changed", id: id) } catch is DaybookError {
                        failureCount += 1
                    }
                }
                do { _ = try store.engine.compact(.latest) } catch {
                    failureCount += 1
                }
                do { try store.put("more", id: 8) } catch is DaybookError { failureCount += 1 }
                try? store.engine.close()
            }
            let again = try NoteStore(copy)
            #expect(try again.count() == 300)
            try again.closeProven()
            if !failing.hasFailed { break }
        }
        #expect(failureCount > 3)
    }
}
