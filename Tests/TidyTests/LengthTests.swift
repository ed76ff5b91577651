import Testing

@Suite struct LengthTests {
    static let lineLengthMax = 100
    static let fileLineCountMax = 400
    static let functionLineCountMax = 70
    static let pathLineCountMax = 50

    @Test func `no line is longer than a hundred columns`() {
        let found = SourceTree.all.flatMap { file in
            file.lines.indices.filter { file.lines[$0].count > Self.lineLengthMax }.map(file.place)
        }
        #expect(found == [])
    }

    @Test func `no file has more than four hundred lines`() {
        #expect(SourceTree.all.filter { $0.lines.count > Self.fileLineCountMax }.map(\.path) == [])
    }

    @Test func `no function has more than seventy lines`() {
        let found = SourceTree.all.flatMap { file in
            file.functions.filter { $0.lines.count > Self.functionLineCountMax }
                .map { "\(file.place($0.lines.lowerBound)) \($0.name): \($0.lines.count) lines" }
        }
        #expect(found == [])
    }

    /// The two paths that every reader should understand: a commit, and a get.
    @Test(arguments: [
        ("Sources/Daybook/Box/Box+Put.swift", "put"),
        ("Sources/DaybookEngine/Commit/Engine+Commit.swift", "commit"),
        ("Sources/DaybookLog/Log+Append.swift", "append"),
        ("Sources/Daybook/Box/Box+Get.swift", "get"),
        ("Sources/DaybookEngine/Reads/Engine+Read.swift", "row"),
        ("Sources/DaybookLog/Log+Read.swift", "frame"),
    ])
    func `each step of a put and a get fits on one screen`(path: String, name: String) throws {
        let file = try #require(SourceTree.sources.first { $0.path == path })
        let steps = file.functions.filter { $0.name == name }
        #expect(!steps.isEmpty)
        #expect(steps.allSatisfy { $0.lines.count <= Self.pathLineCountMax })
    }

    @Test func `functions are found and measured`() {
        let file = SourceFile(
            path: "a.swift",
            text: """
                protocol P {
                    func one() throws
                    init()
                }
                struct S {
                    func two(_ body: () -> Void = {}) {
                        if true {
                            body()
                        }
                    }
                    init(
                        a: Int
                    ) {
                        self.init()
                    }
                }
                """)
        #expect(file.functions.map(\.name) == ["two", "init"])
        #expect(file.functions.map(\.lines) == [5...9, 10...14])
    }
}
