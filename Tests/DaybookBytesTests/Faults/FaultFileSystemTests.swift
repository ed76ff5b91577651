import DaybookBytes
import DaybookTesting
import Foundation
import Testing

struct FaultFileSystemTests {
    private func code(_ body: () throws -> Void) -> DaybookError.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? DaybookError)?.code }
    }

    /// One call of every counted kind.
    private func steps(_ fileSystem: FaultFileSystem) -> [(
        FaultFileSystem.Operation, () throws -> Void
    )] {
        var file: (any File)?
        func open() throws -> any File {
            if let file { return file }
            let base = try fileSystem.open("/a", .replace)
            file = base
            return base
        }
        return [
            (.createDirectory, { try fileSystem.createDirectory("/d") }),
            (.open, { _ = try open() }),
            (.write, { try open().write([1, 2, 3, 4].span, at: 0) }),
            (.read, { _ = try open().read(4, at: 0) }),
            (.size, { _ = try open().size() }),
            (.resize, { try open().resize(to: 3) }),
            (.preallocate, { try open().preallocate(to: 8) }),
            (.sync, { try open().sync() }),
            (.rename, { try fileSystem.rename("/a", to: "/b") }),
            (.link, { _ = try fileSystem.link("/b", to: "/l\(fileSystem.callCount)") }),
            (.syncDirectory, { try fileSystem.syncDirectory("/") }),
            (.list, { _ = try fileSystem.list("/") }),
            (.kind, { _ = try fileSystem.kind(of: "/b") }),
            (.lock, { try fileSystem.lock("/LOCK", note: "").release() }),
            (.remove, { try fileSystem.remove("/b") }),
        ]
    }

    @Test func `without a fault every call passes and is counted`() throws {
        let fileSystem = FaultFileSystem(
            MemoryFileSystem(), failingCall: 0, fault: .errno(EIO), persistence: .forever)
        let steps = steps(fileSystem)
        for (index, step) in steps.enumerated() {
            try step.1()
            #expect(fileSystem.callCount == index + 1)
        }
        #expect(Set(steps.map(\.0)) == Set(FaultFileSystem.Operation.allCases))
        #expect(!fileSystem.hasFailed)
    }

    @Test func `the selected call fails once`() {
        let count = FaultFileSystem.Operation.allCases.count
        for failing in 1...count {
            let fileSystem = FaultFileSystem(
                MemoryFileSystem(), failingCall: failing, fault: .errno(ENOSPC), persistence: .once)
            let steps = steps(fileSystem)
            for (index, step) in steps.enumerated() {
                let failure = code { try step.1() }
                if index + 1 == failing { #expect(failure == .outOfSpace, "call \(failing)") }
                if index + 1 < failing { #expect(failure == nil, "call \(failing)") }
                // The retry succeeds.
                if index + 1 == failing { #expect(code { try step.1() } == nil, "call \(failing)") }
            }
            #expect(fileSystem.hasFailed)
        }
    }

    @Test func `a dead disk fails every later call, but closing and releasing work`() throws {
        let base = MemoryFileSystem()
        let fileSystem = FaultFileSystem(
            base, failingCall: 4, fault: .errno(EIO), persistence: .forever)
        let lock = try fileSystem.lock("/LOCK", note: "")
        let file = try fileSystem.open("/a", .create)
        try file.write([1].span, at: 0)
        #expect(code { try file.sync() } == .inputOutput)
        for step in steps(fileSystem) {
            #expect(code { try step.1() } == .inputOutput, "\(step.0)")
        }
        #expect(code { _ = try file.read(1, at: 0) } == .inputOutput)
        file.close()
        lock.release()
        try base.lock("/LOCK", note: "").release()
        #expect(base.contents["/a"] == [1])
    }

    @Test func `a short write writes the first half`() throws {
        let base = MemoryFileSystem()
        let fileSystem = FaultFileSystem(
            base, failingCall: 1, fault: .shortWrite, persistence: .forever, counting: [.write])
        let file = try fileSystem.open("/a", .create)
        #expect(code { try file.write([1, 2, 3, 4, 5].span, at: 0) } == .outOfSpace)
        #expect(base.contents["/a"] == [1, 2])
        // On the failed disk no further write succeeds.
        #expect(code { try file.write([9, 9, 9, 9].span, at: 0) } == .outOfSpace)
        #expect(base.contents["/a"] == [1, 2])
    }

    @Test func `only the selected operations are counted`() throws {
        let fileSystem = FaultFileSystem(
            MemoryFileSystem(), failingCall: 2, fault: .errno(EIO), persistence: .once,
            counting: [.sync])
        let file = try fileSystem.open("/a", .create)
        try file.write([1].span, at: 0)
        try file.sync()
        try file.write([2].span, at: 0)
        #expect(fileSystem.callCount == 1)
        #expect(code { try file.sync() } == .inputOutput)
        try file.sync()
        #expect(fileSystem.callCount == 3)
    }
}
