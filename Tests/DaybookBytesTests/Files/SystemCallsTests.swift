import DaybookBytes
import Foundation
import Synchronization
import Testing

/// The loops of the real file system, with calls that misbehave.
struct SystemCallsTests {
    /// Runs a test on a file system with altered calls, in its own directory.
    private func withAltered(
        _ alter: (inout SystemCalls) -> Void,
        _ body: (RealFileSystem, _ directory: String) throws -> Void
    ) throws {
        let directory = NSTemporaryDirectory() + "daybook-" + UUID().uuidString
        try RealFileSystem().createDirectory(directory)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        var calls = SystemCalls.live
        alter(&calls)
        try body(RealFileSystem(calls: calls), directory)
    }

    private func code(_ body: () throws -> Void) -> DaybookError.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? DaybookError)?.code }
    }

    /// Makes every other call return `EINTR`.
    private final class Interruption: Sendable {
        private let count = Atomic<Int>(0)
        func answer(_ call: () -> Int) -> Int {
            let (_, new) = count.add(1, ordering: .relaxed)
            return new % 2 == 1 ? -Int(EINTR) : call()
        }
        var interruptionCount: Int { count.load(ordering: .relaxed) / 2 }
    }

    @Test func `every interrupted call is repeated`() throws {
        let live = SystemCalls.live
        let signal = Interruption()
        try withAltered { calls in
            calls.openFile = { path, opening in signal.answer { live.openFile(path, opening) } }
            calls.readBytes = { file, target, offset in
                signal.answer { live.readBytes(file, target, offset) }
            }
            calls.writeBytes = { file, source, offset in
                signal.answer { live.writeBytes(file, source, offset) }
            }
            calls.fileSize = { file in signal.answer { live.fileSize(file) } }
            calls.setFileSize = { file, size in signal.answer { live.setFileSize(file, size) } }
            calls.allocate = { file, size in signal.answer { live.allocate(file, size) } }
            calls.syncFile = { file in signal.answer { live.syncFile(file) } }
            calls.lockFile = { file in signal.answer { live.lockFile(file) } }
            calls.renameFile = { old, new in signal.answer { live.renameFile(old, new) } }
            calls.removeFile = { path in signal.answer { live.removeFile(path) } }
            calls.makeDirectory = { path in signal.answer { live.makeDirectory(path) } }
            calls.mode = { path in signal.answer { live.mode(path) } }
            calls.listDirectory = { path, found in
                signal.answer {
                    found("half a listing")
                    return -Int(EINTR)
                } == 0 ? 0 : signal.answer { live.listDirectory(path, found) }
            }
        } _: { fileSystem, directory in
            try fileSystem.createDirectory(directory + "/x/y")
            let file = try fileSystem.open(directory + "/a", .create)
            try file.preallocate(to: 100)
            try file.write([1, 2, 3].span, at: 0)
            try file.resize(to: 3)
            try file.sync()
            #expect(try file.read(9, at: 0) == [1, 2, 3])
            #expect(try file.size() == 3)
            try fileSystem.rename(directory + "/a", to: directory + "/b")
            try fileSystem.syncDirectory(directory)
            #expect(try fileSystem.list(directory) == ["b", "x"])
            #expect(try fileSystem.kind(of: directory + "/b") == .file)
            try fileSystem.remove(directory + "/b")
            try fileSystem.lock(directory + "/LOCK", note: "me").release()
            #expect(signal.interruptionCount >= 14)
        }
    }

    @Test func `short reads and writes are continued to the end`() throws {
        let live = SystemCalls.live
        try withAltered { calls in
            calls.readBytes = { file, target, offset in
                live.readBytes(file, .init(rebasing: target.prefix(7)), offset)
            }
            calls.writeBytes = { file, source, offset in
                live.writeBytes(file, .init(rebasing: source.prefix(5)), offset)
            }
        } _: { fileSystem, directory in
            let file = try fileSystem.open(directory + "/a", .create)
            let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
            try file.write(bytes.span, at: 3)
            #expect(try file.read(2000, at: 3) == bytes)
            #expect(try file.read(500, at: 103) == Array(bytes[100..<600]))
        }
    }

    @Test func `a write that makes no progress fails, and does not hang`() throws {
        try withAltered {
            $0.writeBytes = { _, _, _ in 0 }
        } _: { fileSystem, directory in
            let file = try fileSystem.open(directory + "/a", .create)
            #expect(code { try file.write([1].span, at: 0) } == .inputOutput)
        }
    }

    @Test(
        arguments: [
            (ENOSPC, .outOfSpace), (EDQUOT, .outOfSpace), (EACCES, .permissionDenied),
            (EPERM, .permissionDenied), (EROFS, .permissionDenied), (ENOENT, .fileNotFound),
            (EEXIST, .fileExists), (EIO, .inputOutput), (EMFILE, .inputOutput),
        ] as [(Int32, DaybookError.Code)])
    func `each error number has its code`(number: Int32, expected: DaybookError.Code) throws {
        try withAltered {
            $0.writeBytes = { _, _, _ in -Int(number) }
            $0.syncFile = { _ in -Int(number) }
            $0.syncNames = { _ in -Int(number) }
        } _: { fileSystem, directory in
            let file = try fileSystem.open(directory + "/a", .create)
            let error = #expect(throws: DaybookError.self) { try file.write([1].span, at: 0) }
            #expect(error?.code == expected)
            #expect(error?.details["errno"] == "\(number)")
            #expect(error?.details["path"] == directory + "/a")
            #expect(code { try file.sync() } == expected)
            #expect(code { try fileSystem.syncDirectory(directory) } == expected)
        }
    }

    @Test(arguments: [EOPNOTSUPP, ENOSYS, EINVAL])
    func `without preallocation the file is still extended`(number: Int32) throws {
        try withAltered {
            $0.allocate = { _, _ in -Int(number) }
        } _: { fileSystem, directory in
            let file = try fileSystem.open(directory + "/a", .create)
            try file.preallocate(to: 5000)
            #expect(try file.size() == 5000)
            try file.preallocate(to: 100)
            #expect(try file.size() == 5000)
        }
    }

    @Test func `no space to preallocate is an error`() throws {
        try withAltered {
            $0.allocate = { _, _ in -Int(ENOSPC) }
        } _: { fileSystem, directory in
            let file = try fileSystem.open(directory + "/a", .create)
            #expect(code { try file.preallocate(to: 5000) } == .outOfSpace)
            #expect(try file.size() == 0)
        }
    }

    @Test func `every descriptor is closed once, after the last call that uses it`() throws {
        let live = SystemCalls.live
        let opened = Mutex<[Int]>([])
        let closed = Mutex<[Int]>([])
        try withAltered { calls in
            calls.openFile = { path, opening in
                let answer = live.openFile(path, opening)
                if answer >= 0 { opened.withLock { $0.append(answer) } }
                return answer
            }
            calls.closeFile = { file in
                closed.withLock { $0.append(Int(file)) }
                return live.closeFile(file)
            }
        } _: { fileSystem, directory in
            let file = try fileSystem.open(directory + "/a", .create)
            file.close()
            file.close()
            _ = try fileSystem.open(directory + "/a", .read)
            _ = code { _ = try fileSystem.open(directory, .read) }
            _ = try fileSystem.lock(directory + "/LOCK", note: "forgotten")
            let lock = try fileSystem.lock(directory + "/LOCK", note: "held")
            #expect(code { _ = try fileSystem.lock(directory + "/LOCK", note: "no") } == .locked)
            lock.release()
            try fileSystem.syncDirectory(directory)
        }
        #expect(opened.withLock { $0.sorted() } == closed.withLock { $0.sorted() })
        #expect(opened.withLock { $0.count } == 7)
    }

    @Test func `both syncs call the operating system`() {
        // Only the operating system knows that the descriptor is invalid.
        #expect(SystemCalls.live.syncFile(-1) == -Int(EBADF))
        #expect(SystemCalls.live.syncNames(-1) == -Int(EBADF))
    }

    @Test func `descriptors are closed on exec`() throws {
        let live = SystemCalls.live
        let last = Atomic<Int>(-1)
        try withAltered { calls in
            calls.openFile = { path, opening in
                let answer = live.openFile(path, opening)
                last.store(answer, ordering: .relaxed)
                return answer
            }
        } _: { fileSystem, directory in
            let path = directory + "/a"
            for mode in [FileMode.create, .read, .readWrite, .replace] {
                let file = try fileSystem.open(path, mode)
                let flags = fcntl(Int32(last.load(ordering: .relaxed)), F_GETFD)
                #expect(flags & FD_CLOEXEC != 0)
                file.close()
            }
        }
    }
}
