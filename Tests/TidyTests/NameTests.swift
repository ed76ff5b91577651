import Testing

@Suite struct NameTests {
    @Test func `no file is named for what it is made of`() {
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

    /// A process that gets no memory at all cannot go on.
    private static func isExcused(_ file: SourceFile, _ index: Int) -> Bool {
        file.path == "Sources/DaybookPages/PageTable.swift"
            && file.lines[index].contains("fatalError(\"no memory")
    }

    /// One file of each module begins with the module's name and a colon: what it knows, what it
    /// must not know, its invariants.
    @Test(arguments: SourceTree.names(in: "Sources").filter { $0 != "CZstd" })
    func `each module states what it knows in one file`(module: String) {
        let fronts = SourceTree.sources.filter { file in
            file.path.hasPrefix("Sources/\(module)/") && file.lines[0].hasPrefix("// \(module):")
        }
        #expect(fronts.count == 1)
        let statement = fronts.first?.lines.prefix { $0.hasPrefix("//") }.joined(separator: "\n")
        #expect(statement?.contains("nvariant") == true)
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
