import Testing

@Suite struct NameTests {
    @Test func `no file is named for the kind of its content`() {
        let words = ["Utils", "Util", "Utilities", "Helpers", "Helper", "Types", "Misc", "Common"]
        let found = SourceTree.all.filter { words.contains($0.name) }
        #expect(found.map(\.path) == [])
    }

    @Test func `no unfinished work and no trap on bad input is left in the sources`() {
        var found: [String] = []
        for file in SourceTree.sourcesAndTools {
            for index in file.lines.indices {
                let isUnfinished = ["TODO", "FIXME", "XXX"].contains {
                    file.lines[index].contains(word: $0)
                }
                let traps = ["try!", "as!", "fatalError("].contains {
                    file.code[index].contains($0)
                }
                if isUnfinished || traps, !Self.isExcused(file, index) {
                    found.append(file.place(index))
                }
            }
        }
        #expect(found == [])
    }

    /// A process that gets no memory at all cannot continue.
    private static func isExcused(_ file: SourceFile, _ index: Int) -> Bool {
        file.path == "Sources/DaybookPages/Pages/PageTable.swift"
            && file.lines[index].contains("fatalError(\"no memory")
    }

    /// The file that is named after a module states what the module is responsible for, which
    /// dependencies it must not have, and its invariants.
    @Test(
        arguments: ["Sources", "Replication/Sources", "Browser/Sources"].flatMap { folder in
            SourceTree.names(in: folder).filter { $0 != "CZstd" }.map { "\(folder)/\($0)" }
        })
    func `each module has a statement in the file that is named after it`(folder: String) throws {
        let module = try #require(folder.split(separator: "/").last)
        let path = "\(folder)/\(module).swift"
        let front = try #require(SourceTree.libraries.first { $0.path == path })
        #expect(front.lines[0].hasPrefix("// \(module)"))
        let statement = front.lines.prefix { $0.hasPrefix("//") }.joined(separator: "\n")
        #expect(statement.contains("must not"))
        #expect(statement.contains("// Invariants:\n// - "))
    }

    @Test func `every test is a sentence`() {
        var found: [String] = []
        for file in SourceTree.all where file.path.contains("Tests/") {
            for (index, line) in file.code.enumerated() where line.trimmed.hasPrefix("@Test") {
                let rest = file.code[index...].prefix(40)
                guard let declaration = rest.first(where: { $0.contains("func ") }) else {
                    continue
                }
                if !declaration.contains("func `") { found.append(file.place(index)) }
            }
        }
        #expect(found == [])
    }
}
