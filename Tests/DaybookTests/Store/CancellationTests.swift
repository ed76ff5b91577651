@testable import Daybook
import DaybookBytes
@testable import DaybookEngine
import DaybookTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct CancellationTests {
    private let directory = TemporaryDirectory()

    /// A store with one object that 200 commits changed, and 20,000 objects of one commit.
    private func longStore() throws -> Store {
        var options = StoreOptions()
        options.isMaintenanceAutomatic = false
        options.durability = .manual
        let store = try Store(directory: directory.url, entities: Memo.self, options: options)
        let box = store.box(for: Memo.self)
        var first = Memo(text: "first", stars: nil)
        try box.put(&first)
        for number in 1...200 {
            first.text = "version \(number)"
            try box.put(first)
        }
        try box.put(
            (1...20_000).map { (number: Int) in Memo(text: "note \(number)", stars: number) })
        return store
    }

    /// Runs an operation to its end, then again, cancelled at its first check and half way: it must
    /// stop at once and throw `CancellationError`.
    private func expectCancellable<Value: Sendable>(
        _ name: String, checkCountMin: Int, _ body: @escaping @Sendable () async throws -> Value
    ) async throws {
        let whole = await CancelledOperation(at: nil, body)
        _ = try whole.result.get()
        #expect(whole.checkCount >= checkCountMin, "\(name)")
        for number in [1, whole.checkCount / 2] {
            let part = await CancelledOperation(at: number, body)
            #expect(part.isCancelled, "\(name) cancelled at check \(number): \(part.result)")
            // Threads of a concurrent scan make one more check each.
            #expect(part.checkCount <= number + Self.threadCountMax, "\(name)")
        }
    }

    private static var threadCountMax: Int { ProcessInfo.processInfo.activeProcessorCount }

    @Test func `reads stop soon after their task is cancelled`() async throws {
        let store = try longStore()
        let box = store.box(for: Memo.self)
        let query = box.query { $0.text == "nothing" }
        try await expectCancellable("scan", checkCountMin: 8) { try await query.find().count }
        try await expectCancellable("sort", checkCountMin: 8) {
            try await box.query().ordered(by: \.text).findIds().count
        }
        try await expectCancellable("all", checkCountMin: 20) { try await box.all().count }
        try await expectCancellable("history", checkCountMin: 200) {
            try await box.history(of: 1).count
        }
        try await expectCancellable("view", checkCountMin: 50) {
            // A kept view would be returned without a check.
            store.engine.dropPastVersions()
            return try await store.view(at: .sequence(100)).sequence
        }
        try await expectCancellable("get at", checkCountMin: 2) {
            try await box.get(1, at: .sequence(100))
        }
        try await store.close()
    }

    @Test func `a backup and a restoration stop soon after their task is cancelled`() async throws {
        let store = try longStore()
        try await expectCancellable("backup", checkCountMin: 10) {
            let kept = TemporaryDirectory()
            try await store.backup(to: kept.url)
        }
        let kept = TemporaryDirectory()
        try await store.backup(to: kept.url)
        try await expectCancellable("restore", checkCountMin: 50) {
            let restored = TemporaryDirectory()
            try await Store.restore(from: kept.url, to: restored.url)
        }
        try await store.close()
    }

    @Test func `a cancelled write either commits and returns, or does neither`() async throws {
        let store = try longStore()
        let box = store.box(for: Memo.self)
        let writes: [@Sendable () async throws -> Void] = [
            { try await store.undo(.commit(100), conflicts: .skip) },
            { try await box.query { $0.stars == 20_000 }.remove() },
            { try await box.remove([Id](2...5000)) },
            { try await box.put(Memo(text: "new", stars: nil)) },
            { try await box.put((0..<50).map { Memo(text: "\($0)", stars: nil) }) },
            {
                try await store.write {
                    for number in 0..<20 {
                        try box.put(Memo(text: "\(number)", stars: nil))
                        // An error that the block ignores must not lead to a commit.
                        _ = try? box.query { $0.text == "nothing" }.find()
                    }
                }
            },
            { try await box.forEach(writable: true) { if $0.id < 10 { try box.remove($0.id) } } },
        ]
        for write in writes {
            let sequence = try store.sequence
            let first = await CancelledOperation(at: 1, write)
            #expect(first.isCancelled)
            #expect(try store.sequence == sequence)
            let whole = await CancelledOperation(at: nil, write)
            _ = try whole.result.get()
            for number in [2, whole.checkCount / 2, whole.checkCount, whole.checkCount + 1] {
                let sequence = try store.sequence
                let cancelled = await CancelledOperation(at: number, write)
                if cancelled.isCancelled { #expect(try store.sequence == sequence) }
                if case .failure(let error) = cancelled.result {
                    #expect(error is CancellationError)
                }
            }
        }
        try store.engine.proveReplay()
        try await store.close()
    }

    @Test func `an undo stops soon after its task is cancelled, and changes nothing`() async throws
    {
        let store = try longStore()
        let sequence = try store.sequence
        for number in [1, 50, 150] {
            let undo = await CancelledOperation(at: number) {
                try await store.undo(.commit(2), conflicts: .skip)
            }
            #expect(undo.isCancelled && undo.checkCount == number)
        }
        #expect(try store.sequence == sequence)
        try await store.close()
    }

    @Test func `a write that is cancelled while it waits for the disk returns normally`()
        async throws
    {
        let cancel = Mutex<(@Sendable () -> Void)?>(nil)
        let files = SyncHookFileSystem(RealFileSystem()) { cancel.withLock { $0 }?() }
        let store = Store(
            try OpenedStore(path: directory.path, [Memo.self], StoreOptions(), on: files))
        let box = store.box(for: Memo.self)
        let task = Task { () -> Id in
            while cancel.withLock({ $0 == nil }) { await Task.yield() }
            return try await box.put(Memo(text: "kept", stars: nil))
        }
        cancel.withLock { $0 = { task.cancel() } }
        let id = try await task.value
        #expect(task.isCancelled)
        #expect(try await box.get(id)?.text == "kept")
        try await store.close()
    }

    @Test func `closing completes in a cancelled task`() async throws {
        let store = try longStore()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await store.close()
        }
        try await task.value
        expectError(.closed) { _ = try store.sequence }
    }

    @Test func `opening a store stops soon after its task is cancelled`() async throws {
        try await longStore().close()
        let url = directory.url
        let opening = await CancelledOperation(at: 1) {
            try await Store(directory: url, entities: Memo.self).close()
        }
        #expect(opening.isCancelled && opening.checkCount == 1)
        let store = try await Store(directory: url, entities: Memo.self)
        #expect(try await store.box(for: Memo.self).count() == 20_001)
        try await store.close()
    }

    @Test func `blocking calls ignore that their task was cancelled, whatever the plan`()
        async throws
    {
        let store = try longStore()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try Self.blockingCounts(store)
        }
        #expect(try await task.value == [0, 20_001, 1, 201, 20_001])
        try await store.close()
    }

    private static func blockingCounts(_ store: Store) throws -> [Int] {
        let box = store.box(for: Memo.self)
        return [
            try box.query { $0.text == "nothing" }.find().count,
            try box.query().ordered(by: \.text).find().count,
            try box.query { $0.stars == 1 }.find().count,
            try box.history(of: 1).count,
            try store.view(at: .sequence(try store.sequence)).box(for: Memo.self).count(),
        ]
    }

    @Test func `an observed query ends without an error when its task is cancelled`() async throws {
        let store = try longStore()
        let box = store.box(for: Memo.self)
        for number in [1, 3] {
            let following = await CancelledOperation(at: number) { () -> Int in
                var count = 0
                for try await _ in box.query({ $0.text == "nothing" }).updates() { count += 1 }
                return count
            }
            #expect(try following.result.get() == 0)
        }
        try await store.close()
    }
}

/// A file system that calls a closure before each sync of a file.
private struct SyncHookFileSystem: ForwardingFileSystem {
    let base: any FileSystem
    let hook: @Sendable () -> Void

    init(_ base: any FileSystem, _ hook: @escaping @Sendable () -> Void) {
        self.base = base
        self.hook = hook
    }

    func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        SyncHookFile(base: try base.open(path, mode), hook: hook)
    }
}

private final class SyncHookFile: ForwardingFile {
    let base: any File
    private let hook: @Sendable () -> Void

    init(base: any File, hook: @escaping @Sendable () -> Void) {
        self.base = base
        self.hook = hook
    }

    func sync() throws(DaybookError) {
        hook()
        try base.sync()
    }
}
