import Testing

/// The architecture within the modules: the folders of a module depend on each other in one
/// direction where that matters.
///
/// Swift has no imports between folders. A folder depends on another one if its code names a type
/// that the other folder declares.
@Suite struct FolderImportTests {
    /// A folder of a module, and the folders of the same module whose types it must not name.
    struct Rule {
        var folder: String
        var forbidden: Set<String>
    }

    /// The folders that build on the rest of their module: no other folder names their types.
    static let outermost = [
        "DaybookLog/Backup", "DaybookEngine/Undo", "DaybookEngine/Backup", "DaybookQuery/Live",
        "DaybookQuery/Text", "DaybookRecords/JSON",
    ]

    static let rules = [
        // The log: frames know nothing of the files that hold them.
        Rule(folder: "DaybookLog/Frames", forbidden: ["Manifest", "Recovery"]),
        Rule(folder: "DaybookLog/Manifest", forbidden: ["Frames", "Recovery"]),
        // The pages: the trees that are read know nothing of the writer.
        Rule(folder: "DaybookPages/ByteTree", forbidden: ["Writer", "Snapshot"]),
        Rule(folder: "DaybookPages/FixedTree", forbidden: ["Writer"]),
        // The records: records and rows know nothing of the layouts for compaction.
        Rule(folder: "DaybookRecords/Records", forbidden: ["Columns", "Rows"]),
        Rule(folder: "DaybookRecords/Rows", forbidden: ["Columns", "Indexes"]),
        Rule(
            folder: "DaybookRecords/Text",
            forbidden: ["Columns", "Indexes", "Records", "Rows", "Schema"]),
        // The engine: commits, reads and recovery work without the features over them.
        Rule(
            folder: "DaybookEngine/Commit",
            forbidden: ["Changes", "Compaction", "History", "Recovery"]),
        Rule(
            folder: "DaybookEngine/Reads",
            forbidden: ["Changes", "Commit", "Compaction", "PendingChanges"]),
        Rule(
            folder: "DaybookEngine/Recovery",
            forbidden: ["Changes", "Commit", "Compaction", "PendingChanges", "Transactions"]),
        Rule(
            folder: "DaybookEngine/Transactions",
            forbidden: ["Changes", "Compaction", "History", "Recovery"]),
        Rule(
            folder: "DaybookEngine/Compaction",
            forbidden: ["Changes", "Commit", "PendingChanges", "Transactions"]),
        Rule(
            folder: "DaybookEngine/History",
            forbidden: ["Commit", "Compaction", "PendingChanges"]),
        Rule(
            folder: "DaybookEngine/Changes", forbidden: ["Commit", "Compaction", "PendingChanges"]),
        // Queries: the tree of a query, its binding, its plan, and its execution, in this order.
        Rule(folder: "DaybookQuery/AST", forbidden: ["Columns", "Matching", "Planning"]),
        Rule(folder: "DaybookQuery/Binding", forbidden: ["Columns", "Planning"]),
        Rule(folder: "DaybookQuery/Matching", forbidden: ["Columns", "Execution", "Planning"]),
        Rule(folder: "DaybookQuery/Predicates", forbidden: ["Planning"]),
        Rule(folder: "DaybookQuery/Columns", forbidden: ["Planning"]),
    ]

    @Test func `folders name only types of the folders below them`() {
        #expect(Self.rules.flatMap { Self.violations(of: $0, in: SourceTree.sources) } == [])
    }

    @Test func `no folder names types of the features that build on it`() {
        var found: [String] = []
        for feature in Self.outermost {
            let parts = feature.split(separator: "/").map(String.init)
            let others = Self.folders(of: parts[0], in: SourceTree.sources).subtracting([parts[1]])
            for folder in others.sorted() {
                let rule = Rule(folder: parts[0] + "/" + folder, forbidden: [parts[1]])
                found += Self.violations(of: rule, in: SourceTree.sources)
            }
        }
        #expect(found == [])
    }

    @Test func `every folder of the rules exists and declares types`() {
        let folders = Self.rules.flatMap { rule in
            let module = rule.folder.split(separator: "/")[0]
            return [rule.folder] + rule.forbidden.map { module + "/" + $0 }
        }
        let empty = Set(folders + Self.outermost).filter { folder in
            Self.types(in: folder, of: SourceTree.sources).isEmpty
        }
        #expect(empty.sorted() == [])
    }

    @Test func `a type of a forbidden folder is reported`() {
        let files = [
            SourceFile(path: "Sources/M/Low/A.swift", text: "struct A { var b: B? }  // C"),
            SourceFile(path: "Sources/M/High/B.swift", text: "package final class B {}\nenum C {}"),
        ]
        let rule = Rule(folder: "M/Low", forbidden: ["High"])
        #expect(
            Self.violations(of: rule, in: files) == [
                "Sources/M/Low/A.swift names B of the folder High"
            ])
    }

    /// The names of forbidden types that the files of a folder use, each with its place.
    private static func violations(of rule: Rule, in files: [SourceFile]) -> [String] {
        let module = rule.folder.split(separator: "/")[0]
        var found: [String] = []
        for folder in rule.forbidden.sorted() {
            let types = types(in: module + "/" + folder, of: files)
            for file in files where file.path.hasPrefix("Sources/\(rule.folder)/") {
                let words = Set(file.code.flatMap(\.words))
                found += words.intersection(types).sorted().map {
                    "\(file) names \($0) of the folder \(folder)"
                }
            }
        }
        return found
    }

    /// The names of the types that the files of a folder declare outside other declarations.
    private static func types(in folder: some StringProtocol, of files: [SourceFile]) -> Set<
        Substring
    > {
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]
        var names: Set<Substring> = []
        for file in files where file.path.hasPrefix("Sources/\(folder)/") {
            for line in file.code where line.first?.isWhitespace == false {
                let words = line.words
                guard let kind = words.firstIndex(where: { kinds.contains($0) }),
                    !words[..<kind].contains(where: { ["extension", "func"].contains($0) }),
                    kind + 1 < words.count, words[kind + 1].first?.isUppercase == true
                else { continue }
                names.insert(words[kind + 1])
            }
        }
        return names
    }

    private static func folders(of module: String, in files: [SourceFile]) -> Set<String> {
        Set(
            files.compactMap { file in
                let parts = file.path.split(separator: "/")
                return parts.count > 3 && parts[1] == module ? String(parts[2]) : nil
            })
    }
}
