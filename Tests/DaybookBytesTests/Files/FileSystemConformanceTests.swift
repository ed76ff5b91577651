import DaybookBytes
import DaybookTesting
import Dispatch
import Synchronization
import Testing

/// The common behaviour of all file systems, errors included.
struct FileSystemConformanceTests {
    private func code(_ body: () throws -> Void) -> DaybookError.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? DaybookError)?.code }
    }

    @Test(arguments: Twin.allCases)
    func `bytes written are read at any offset, fewer at the end`(twin: Twin) throws {
        let ground = try Playground(twin)
        let file = try ground.fileSystem.open(ground.path("a"), .create)
        try file.write([1, 2, 3, 4, 5].span, at: 0)
        try file.write([9].span, at: 2)
        #expect(try file.read(5, at: 0) == [1, 2, 9, 4, 5])
        #expect(try file.read(100, at: 3) == [4, 5])
        #expect(try file.read(100, at: 5) == [])
        #expect(try file.read(100, at: 500) == [])
        #expect(try file.read(0, at: 0) == [])
        #expect(try file.size() == 5)
        try file.write([UInt8]().span, at: 100)
        #expect(try file.size() == 5)
    }

    @Test(arguments: Twin.allCases)
    func `a write beyond the end leaves zeros between`(twin: Twin) throws {
        let ground = try Playground(twin)
        let file = try ground.fileSystem.open(ground.path("a"), .create)
        try file.write([7].span, at: 10_000)
        #expect(try file.size() == 10_001)
        #expect(try file.read(3, at: 9_998) == [0, 0, 7])
        try file.write([8].span, at: 300_000)
        #expect(try file.read(200_000, at: 10_001).allSatisfy { $0 == 0 })
    }

    @Test(arguments: Twin.allCases)
    func `resizing cuts, and growing again shows zeros and not the old bytes`(twin: Twin) throws {
        let ground = try Playground(twin)
        let file = try ground.fileSystem.open(ground.path("a"), .create)
        try file.write([UInt8](repeating: 5, count: 9000).span, at: 0)
        try file.resize(to: 4097)
        #expect(try file.size() == 4097)
        try file.resize(to: 9000)
        #expect(try file.read(2, at: 4096) == [5, 0])
        #expect(try file.read(9000, at: 4097) == [UInt8](repeating: 0, count: 4903))
        try file.resize(to: 0)
        #expect(try file.read(10, at: 0) == [])
    }

    @Test(arguments: Twin.allCases)
    func `preallocation grows with zeros and never cuts`(twin: Twin) throws {
        let ground = try Playground(twin)
        let file = try ground.fileSystem.open(ground.path("a"), .create)
        try file.write([1, 2, 3].span, at: 0)
        try file.preallocate(to: 100_000)
        #expect(try file.size() == 100_000)
        #expect(try file.read(5, at: 0) == [1, 2, 3, 0, 0])
        try file.preallocate(to: 10)
        try file.preallocate(to: 0)
        #expect(try file.size() == 100_000)
        try file.sync()
    }

    @Test(arguments: Twin.allCases)
    func `invalid offsets and lengths throw`(twin: Twin) throws {
        let ground = try Playground(twin)
        let file = try ground.fileSystem.open(ground.path("a"), .create)
        try file.write([1, 2, 3].span, at: 0)
        #expect(code { _ = try file.read(-1, at: 0) } == .inputOutput)
        #expect(code { _ = try file.read(1, at: -1) } == .inputOutput)
        #expect(code { _ = try file.read(.max, at: 1) } == .inputOutput)
        #expect(code { try file.write([1].span, at: -1) } == .inputOutput)
        #expect(code { try file.write([1].span, at: .max) } == .inputOutput)
        #expect(code { try file.resize(to: -1) } == .inputOutput)
        #expect(code { try file.preallocate(to: -1) } == .inputOutput)
        #expect(try file.read(.max, at: 0) == [1, 2, 3])
        #expect(try file.read(1 << 50, at: 2) == [3])
    }

    @Test(arguments: Twin.allCases)
    func `each open mode creates, keeps or empties the file as documented`(twin: Twin) throws {
        let ground = try Playground(twin)
        let path = ground.path("a")
        #expect(code { _ = try ground.fileSystem.open(path, .read) } == .fileNotFound)
        #expect(code { _ = try ground.fileSystem.open(path, .readWrite) } == .fileNotFound)
        let missing = ground.path("nowhere/a")
        #expect(code { _ = try ground.fileSystem.open(missing, .create) } == .fileNotFound)
        #expect(code { _ = try ground.fileSystem.open(missing, .replace) } == .fileNotFound)
        try ground.fileSystem.open(path, .create).write([1, 2].span, at: 0)
        #expect(code { _ = try ground.fileSystem.open(path, .create) } == .fileExists)
        let reader = try ground.fileSystem.open(path, .read)
        #expect(try reader.read(9, at: 0) == [1, 2])
        #expect(code { try reader.write([1].span, at: 0) } != nil)
        #expect(code { try reader.resize(to: 0) } != nil)
        try ground.fileSystem.open(path, .readWrite).write([3].span, at: 2)
        #expect(try reader.read(9, at: 0) == [1, 2, 3])
        let replaced = try ground.fileSystem.open(path, .replace)
        #expect(try replaced.size() == 0)
        #expect(try reader.size() == 0)
        #expect(code { _ = try ground.fileSystem.open(ground.directory, .read) } == .inputOutput)
        #expect(
            code { _ = try ground.fileSystem.open(ground.directory, .readWrite) } == .inputOutput)
        #expect(code { _ = try ground.fileSystem.open("", .read) } == .fileNotFound)
        #expect(code { _ = try ground.fileSystem.open(path + "\0b", .read) } == .invalidArgument)
    }

    @Test(arguments: Twin.allCases)
    func `a path through a file does not exist`(twin: Twin) throws {
        let ground = try Playground(twin)
        try ground.fileSystem.open(ground.path("a"), .create).close()
        #expect(try ground.fileSystem.kind(of: ground.path("a/b")) == nil)
        #expect(
            code { _ = try ground.fileSystem.open(ground.path("a/b"), .create) } == .inputOutput)
        #expect(code { try ground.fileSystem.createDirectory(ground.path("a/b")) } != nil)
        #expect(code { _ = try ground.fileSystem.list(ground.path("a")) } == .inputOutput)
    }

    @Test(arguments: Twin.allCases)
    func `errors name the operation, the path and the number`(twin: Twin) throws {
        let ground = try Playground(twin)
        let path = ground.path("missing")
        let error = #expect(throws: DaybookError.self) {
            _ = try ground.fileSystem.open(path, .read)
        }
        #expect(error?.details["path"] == path)
        #expect(error?.details["operation"] == "open")
        #expect(error?.details["errno"] == "2")
        #expect(error?.message.contains(path) == true)
    }

    @Test(arguments: Twin.allCases)
    func `a closed file throws closed, and closing twice is allowed`(twin: Twin) throws {
        let ground = try Playground(twin)
        let file = try ground.fileSystem.open(ground.path("a"), .create)
        file.close()
        file.close()
        #expect(code { _ = try file.read(1, at: 0) } == .closed)
        #expect(code { try file.write([1].span, at: 0) } == .closed)
        #expect(code { _ = try file.size() } == .closed)
        #expect(code { try file.resize(to: 0) } == .closed)
        #expect(code { try file.preallocate(to: 0) } == .closed)
        #expect(code { try file.sync() } == .closed)
    }

    @Test(arguments: Twin.allCases)
    func `names are listed in order`(twin: Twin) throws {
        let ground = try Playground(twin)
        #expect(try ground.fileSystem.list(ground.directory) == [])
        for name in ["b", "a", "c", "ä"] {
            try ground.fileSystem.open(ground.path(name), .create).close()
        }
        try ground.fileSystem.createDirectory(ground.path("d/deep/er"))
        #expect(try ground.fileSystem.list(ground.directory) == ["a", "b", "c", "d", "ä"])
        #expect(try ground.fileSystem.list(ground.path("d")) == ["deep"])
        #expect(try ground.fileSystem.list(ground.path("d/deep/")) == ["er"])
        #expect(code { _ = try ground.fileSystem.list(ground.path("x")) } == .fileNotFound)
    }

    @Test(arguments: Twin.allCases)
    func `kind(of:) distinguishes files, directories and missing paths`(twin: Twin) throws {
        let ground = try Playground(twin)
        #expect(try ground.fileSystem.kind(of: ground.path("x")) == nil)
        #expect(try ground.fileSystem.kind(of: ground.path("x/y")) == nil)
        #expect(try ground.fileSystem.kind(of: ground.directory) == .directory)
        #expect(try ground.fileSystem.kind(of: "/") == .directory)
        try ground.fileSystem.open(ground.path("a"), .create).close()
        #expect(try ground.fileSystem.kind(of: ground.path("a")) == .file)
    }

    @Test(arguments: Twin.allCases)
    func `creating a directory accepts an existing directory and rejects a file`(twin: Twin) throws
    {
        let ground = try Playground(twin)
        try ground.fileSystem.createDirectory(ground.directory)
        try ground.fileSystem.createDirectory(ground.path("x/y"))
        try ground.fileSystem.createDirectory(ground.path("x/y/"))
        try ground.fileSystem.open(ground.path("a"), .create).close()
        #expect(code { try ground.fileSystem.createDirectory(ground.path("a")) } == .fileExists)
    }

    @Test(arguments: Twin.allCases)
    func `a rename replaces the target, and open files keep their content`(twin: Twin) throws {
        let ground = try Playground(twin)
        let old = try ground.fileSystem.open(ground.path("old"), .create)
        let new = try ground.fileSystem.open(ground.path("new"), .create)
        try old.write([1].span, at: 0)
        try new.write([2].span, at: 0)
        try ground.fileSystem.rename(ground.path("new"), to: ground.path("old"))
        #expect(try ground.fileSystem.list(ground.directory) == ["old"])
        #expect(try ground.fileSystem.readAll(ground.path("old")) == [2])
        #expect(try old.read(9, at: 0) == [1])
        try new.write([3].span, at: 1)
        #expect(try ground.fileSystem.readAll(ground.path("old")) == [2, 3])
        try ground.fileSystem.rename(ground.path("old"), to: ground.path("old"))
        #expect(try ground.fileSystem.readAll(ground.path("old")) == [2, 3])
        try ground.fileSystem.syncDirectory(ground.directory)
        let missing = ground.path("missing")
        #expect(
            code { try ground.fileSystem.rename(missing, to: ground.path("x")) } == .fileNotFound)
        let nowhere = ground.path("nowhere/x")
        #expect(
            code { try ground.fileSystem.rename(ground.path("old"), to: nowhere) } == .fileNotFound)
        try ground.fileSystem.createDirectory(ground.path("d"))
        let directory = ground.path("d")
        #expect(
            code { try ground.fileSystem.rename(ground.path("old"), to: directory) } == .inputOutput
        )
    }

    @Test(arguments: Twin.allCases)
    func `a removed file loses its name, and open files keep the bytes`(twin: Twin) throws {
        let ground = try Playground(twin)
        let file = try ground.fileSystem.open(ground.path("a"), .create)
        try file.write([1].span, at: 0)
        try ground.fileSystem.remove(ground.path("a"))
        #expect(try ground.fileSystem.kind(of: ground.path("a")) == nil)
        #expect(try file.read(9, at: 0) == [1])
        try file.write([2].span, at: 1)
        try file.sync()
        #expect(try file.size() == 2)
        #expect(code { try ground.fileSystem.remove(ground.path("a")) } == .fileNotFound)
        try ground.fileSystem.createDirectory(ground.path("d"))
        #expect(code { try ground.fileSystem.remove(ground.path("d")) } != nil)
        #expect(try ground.fileSystem.kind(of: ground.path("d")) == .directory)
    }

    @Test(arguments: Twin.allCases)
    func `syncing a directory that is missing throws`(twin: Twin) throws {
        let ground = try Playground(twin)
        #expect(code { try ground.fileSystem.syncDirectory(ground.path("x")) } == .fileNotFound)
        try ground.fileSystem.open(ground.path("a"), .create).close()
        #expect(code { try ground.fileSystem.syncDirectory(ground.path("a")) } == .inputOutput)
    }

    @Test(arguments: Twin.allCases)
    func `a lock excludes a second one and names its holder`(twin: Twin) throws {
        let ground = try Playground(twin)
        let path = ground.path("LOCK")
        let lock = try ground.fileSystem.lock(path, note: "process 12 of ada\nsecond line")
        let error = #expect(throws: DaybookError.self) {
            _ = try ground.fileSystem.lock(path, note: "mine")
        }
        #expect(error?.code == .locked)
        #expect(error?.details["holder"] == "process 12 of ada")
        #expect(error?.message.contains("process 12 of ada") == true)
        // Opening and closing the file does not release the lock.
        try ground.fileSystem.open(path, .readWrite).close()
        #expect(code { _ = try ground.fileSystem.lock(path, note: "mine") } == .locked)
        lock.release()
        lock.release()
        let second = try ground.fileSystem.lock(path, note: "mine")
        lock.release()
        #expect(code { _ = try ground.fileSystem.lock(path, note: "third") } == .locked)
        second.release()
    }

    @Test(arguments: Twin.allCases)
    func `a deallocated lock is released, and a stale note is ignored`(twin: Twin) throws {
        let ground = try Playground(twin)
        let path = ground.path("LOCK")
        let note = Array("a process that died\n".utf8)
        try ground.fileSystem.open(path, .create).write(note.span, at: 0)
        do { _ = try ground.fileSystem.lock(path, note: "one") }
        let lock = try ground.fileSystem.lock(path, note: "two")
        #expect(try ground.fileSystem.readAll(path) == Array("two\n".utf8))
        lock.release()
    }

    @Test(arguments: Twin.allCases)
    func `an atomic replacement leaves the new content and no temporary file`(twin: Twin) throws {
        let ground = try Playground(twin)
        let content = [UInt8](repeating: 3, count: 100_000)
        try ground.fileSystem.replaceAtomically([1, 2], named: "CURRENT", in: ground.directory)
        try ground.fileSystem.replaceAtomically(content, named: "CURRENT", in: ground.directory)
        #expect(try ground.fileSystem.readAll(ground.path("CURRENT")) == content)
        #expect(try ground.fileSystem.list(ground.directory) == ["CURRENT"])
    }

    @Test(arguments: Twin.allCases)
    func `a read during a close succeeds or throws, and never reads another file`(twin: Twin) throws
    {
        let ground = try Playground(twin)
        let fileSystem = ground.fileSystem
        let (path, other) = (ground.path("a"), ground.path("b"))
        let content = [UInt8](repeating: 1, count: 512)
        try fileSystem.open(path, .create).write(content.span, at: 0)
        try fileSystem.open(other, .create).write([UInt8](repeating: 2, count: 512).span, at: 0)
        let strangers = Atomic<Int>(0)
        for _ in 0..<50 {
            let file = try fileSystem.open(path, .read)
            // Threads and not tasks: readers that never suspend would keep the closer from running.
            DispatchQueue.concurrentPerform(iterations: 3) { worker in
                if worker > 0 {
                    while let bytes = try? file.read(512, at: 0) {
                        if bytes != content { strangers.add(1, ordering: .relaxed) }
                    }
                } else {
                    file.close()
                    // Reuses the number of the closed descriptor at once.
                    _ = try? fileSystem.open(other, .read)
                }
            }
        }
        #expect(strangers.load(ordering: .relaxed) == 0)
    }

    @Test(arguments: Twin.allCases)
    func `random histories match a plain array`(twin: Twin) throws {
        let ground = try Playground(twin)
        for seed in UInt64(1)...20 {
            var random = SeededGenerator(seed: seed)
            let file = try ground.fileSystem.open(ground.path("\(seed)"), .create)
            var model: [UInt8] = []
            for _ in 0..<60 {
                let offset = Int.random(in: 0..<20_000, using: &random)
                switch Int.random(in: 0..<6, using: &random) {
                case 0:
                    try file.resize(to: offset)
                    model =
                        Array(model.prefix(offset))
                        + [UInt8](
                            repeating: 0, count: max(0, offset - model.count))
                case 1:
                    try file.preallocate(to: offset)
                    model += [UInt8](repeating: 0, count: max(0, offset - model.count))
                default:
                    let length = Int.random(in: 1..<9000, using: &random)
                    let bytes = [UInt8](
                        repeating: .random(in: 0...255, using: &random), count: length)
                    try file.write(bytes.span, at: offset)
                    let end = offset + length
                    model += [UInt8](repeating: 0, count: max(0, end - model.count))
                    model.replaceSubrange(offset..<end, with: bytes)
                }
                let from = Int.random(in: 0..<25_000, using: &random)
                let expected = Array(model.dropFirst(from).prefix(5000))
                #expect(try file.read(5000, at: from) == expected, "seed \(seed)")
            }
            #expect(try ground.fileSystem.readAll(ground.path("\(seed)")) == model, "seed \(seed)")
        }
    }

    @Test(arguments: Twin.allCases)
    func `removeDirectory removes only empty directories`(twin: Twin) throws {
        let ground = try Playground(twin)
        let files = ground.fileSystem
        let directory = ground.path("a/b")
        #expect(try files.missingDirectories(of: directory) == [directory, ground.path("a")])
        try files.createDirectory(directory)
        #expect(try files.missingDirectories(of: directory) == [])
        let name = directory + "/file"
        try files.open(name, .create).close()
        #expect(code { try files.removeDirectory(directory) } == .inputOutput)
        #expect(code { try files.removeDirectory(name) } == .inputOutput)
        #expect(code { try files.removeDirectory(ground.path("c")) } == .fileNotFound)
        #expect(code { try files.remove(directory) } != nil)
        try files.remove(name)
        try files.removeDirectory(directory)
        #expect(try files.kind(of: directory) == nil)
        #expect(try files.list(ground.path("a")) == [])
    }

    @Test(arguments: Twin.allCases)
    func `resolve gives one path per directory`(twin: Twin) throws {
        let ground = try Playground(twin)
        let files = ground.fileSystem
        try files.createDirectory(ground.path("a/b"))
        let whole = try files.resolve(ground.path("a/b"))
        #expect(whole.hasSuffix("/a/b"))
        for other in ["a//b/", "./a/./b", "a/../a/b", "a/b/missing/.."] {
            #expect(try files.resolve(ground.path(other)) == whole)
        }
        #expect(try files.resolve(ground.path("a/b/c/d/../e")) == whole + "/c/e")
    }
}
