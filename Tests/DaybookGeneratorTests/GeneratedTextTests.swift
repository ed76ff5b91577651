#if Macros
import Foundation
import Testing

@testable import DaybookGeneration

@Suite struct GeneratedTextTests {
    private static let head = """
        // Written by DaybookGenerator for the module 'App' at every build: edit the
        // declarations, not this file.
        // swift-format-ignore-file
        // swiftlint:disable all

        """

    @Test func `a module without entities gets a file without code`() {
        #expect(GeneratedModule([:]).text == Self.head)
        #expect(GeneratedModule("import Daybook\nstruct Note {}").text == Self.head)
    }

    @Test func `the code is in the order of the files, and the store lists all entities`() {
        let module = GeneratedModule([
            "B.swift": "struct C: Entity { var id: Id = 0 }\nstruct A: Entity { var id: Id = 0 }",
            "C.swift": "enum Unrelated {}", "D.swift": "@Entity struct D { var id: Id = 0 }",
            "E.swift": "struct B: Entity { var id: Id = 0 }",
        ])
        #expect(module.entities == ["C", "A", "D", "B"])
        #expect(
            module.extensions.map { $0.split(whereSeparator: { " :{".contains($0) })[2] } == [
                "C", "A", "B", "Daybook.Store",
            ])
        let marks = module.text?.split(separator: "\n").filter { $0.hasPrefix("// MARK") }
        #expect(marks == ["// MARK: B.swift", "// MARK: E.swift", "// MARK: The store"])
    }

    @Test func `the generated code of one entity equals this text`() {
        let module = GeneratedModule("import Daybook\nstruct Note: Entity { var id: Id = 0 }")
        let end = """

            // MARK: The store

            nonisolated extension Daybook.Store {
                private static var generatedEntities: [any Daybook.Storable.Type] {
                    [
                        Note.self,
                    ]
                }

                /// Opens the store in the directory at a path with all entities of this module.
                convenience init(
                    directoryPath: String, options: Daybook.StoreOptions = Daybook.StoreOptions()
                ) throws {
                    try self.init(
                        path: directoryPath, entities: Self.generatedEntities, options: options)
                }

                /// Opens the store in the directory at a path with all entities of this module,
                /// without blocking the caller's thread.
                convenience init(
                    directoryPath: String, options: Daybook.StoreOptions = Daybook.StoreOptions()
                ) async throws {
                    try await self.init(
                        path: directoryPath, entities: Self.generatedEntities, options: options)
                }
            }

            """
        let begin =
            Self.head
            + "\nimport Daybook\n\n// MARK: Models.swift\n\nnonisolated extension Note {\n"
        #expect(module.text?.hasPrefix(begin) == true)
        #expect(module.text?.hasSuffix(end) == true)
    }
}

@Suite struct RunTests {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "daybook-generator-tests-\(UUID().uuidString)")

    private func path(_ name: String) -> String {
        folder.appending(path: name).path(percentEncoded: false)
    }

    private func write(_ text: String, to name: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    private func run(_ arguments: [String]) -> (status: Int32, lines: [String]) {
        var lines: [String] = []
        return (GenerateRun.run(arguments) { lines.append($0) }, lines)
    }

    @Test func `the order of the arguments and earlier runs make no difference`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write("struct A: Entity { var id: Id = 0 }", to: "A.swift")
        try write("struct B: Entity { var id: Id = 0 }", to: "Ä B.swift")
        let files = [path("A.swift"), path("Ä B.swift")]
        #expect(run([path("out.swift"), "App"] + files) == (0, []))
        let text = try String(contentsOfFile: path("out.swift"), encoding: .utf8)
        #expect(text.contains("extension A") && text.contains("extension B"))

        let made = try FileManager.default.attributesOfItem(atPath: path("out.swift"))
        #expect(run([path("out.swift"), "App"] + files.reversed()) == (0, []))
        let left = try FileManager.default.attributesOfItem(atPath: path("out.swift"))
        #expect(made[.systemFileNumber] as? UInt64 == left[.systemFileNumber] as? UInt64)
        #expect(try String(contentsOfFile: path("out.swift"), encoding: .utf8) == text)

        try write("struct B: Entity { var id: Id = 0; var b = 1 }", to: "Ä B.swift")
        #expect(run([path("out.swift"), "App"] + files) == (0, []))
        #expect(try String(contentsOfFile: path("out.swift"), encoding: .utf8) != text)
    }

    @Test func `an error is reported at its location, and the earlier output stays`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write("struct A: Entity {}", to: "A.swift")
        try write("before", to: "out.swift")
        let (status, lines) = run([path("out.swift"), "App", path("A.swift")])
        #expect(status == 1)
        let problem = "error: entity 'A' has no id property: add 'var id: Id = 0'"
        #expect(lines == ["\(path("A.swift")):1:8: \(problem)"])
        #expect(try String(contentsOfFile: path("out.swift"), encoding: .utf8) == "before")
    }

    @Test func `a missing file and a missing folder are errors`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try write("", to: "A.swift")
        let missing = run([path("out.swift"), "App", path("B.swift")])
        #expect(missing.status == 1)
        #expect(missing.lines.count == 1)
        #expect(missing.lines.first?.hasPrefix("error: ") == true)
        #expect(run([path("none/out.swift"), "App", path("A.swift")]).status == 1)
        #expect(run([path("out.swift")]).status == 2)
        #expect(run([]).lines == ["usage: DaybookGenerate OUTPUT MODULE FILE…"])
    }
}
#endif
