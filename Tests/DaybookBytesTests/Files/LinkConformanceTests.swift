import DaybookBytes
import Testing

/// Hard links, which all file systems must treat alike.
struct LinkConformanceTests {
    private func code(_ body: () throws -> Void) -> DaybookError.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? DaybookError)?.code }
    }

    @Test(arguments: Twin.allCases)
    func `a linked file has two names and is removed with the last one`(twin: Twin) throws {
        let ground = try Playground(twin)
        let files = ground.fileSystem
        let file = try files.open(ground.path("a"), .create)
        try file.write([1].span, at: 0)
        #expect(try files.link(ground.path("a"), to: ground.path("b")))
        try file.write([2].span, at: 1)
        #expect(try files.readAll(ground.path("b")) == [1, 2])
        #expect(code { _ = try files.link(ground.path("a"), to: ground.path("b")) } == .fileExists)
        #expect(
            code { _ = try files.link(ground.path("x"), to: ground.path("c")) } == .fileNotFound)
        #expect(
            code { _ = try files.link(ground.path("a"), to: ground.path("x/c")) } == .fileNotFound)
        #expect(
            code { _ = try files.link(ground.path("a"), to: ground.path("c\0")) }
                == .invalidArgument)
        // Renaming a link over another link of the same file: POSIX keeps both names.
        try files.rename(ground.path("b"), to: ground.path("a"))
        #expect(try files.list(ground.directory) == ["a", "b"])
        try files.rename(ground.path("a"), to: ground.path("c"))
        #expect(try files.list(ground.directory) == ["b", "c"])
        try files.rename(ground.path("b"), to: ground.path("d"))
        #expect(try files.list(ground.directory) == ["c", "d"])
        try files.remove(ground.path("c"))
        file.close()
        #expect(try files.readAll(ground.path("d")) == [1, 2])
        try files.createDirectory(ground.path("e"))
        #expect(try !files.link(ground.path("e"), to: ground.path("f")))
    }
}
