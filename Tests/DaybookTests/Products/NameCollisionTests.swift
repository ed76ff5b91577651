import DaybookTestSupport
import Foundation
import Testing

/// A file that imports Daybook with other modules and declares its own types with common names. The
/// stand-in for OpenCombine is the stand-in for Combine, compiled under that name.
@Suite struct NameCollisionTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL

    /// Uses the names of Daybook that another module is most likely to declare too.
    private static let use = """
        struct Note: Entity {
            var id: Id = 0
            var text = ""

            static let entityDescription = EntityDescription(
                "Note", [.property("text", String.self)])
            static func decode(_ row: borrowing RowReader) throws -> Note {
                Note(id: row.id, text: try row.read(0))
            }
            func encode(into row: inout RowWriter) throws { try row.write(text, at: 0) }
            var entityId: Id {
                get { id }
                set { id = newValue }
            }
        }

        extension Note {
            static var text: Property<Note, String> { Property("text") }
        }

        @Observable final class NoteModel {
            var notes: [Note] = []
            var queue = DispatchQueue.main
            var cancellables: [AnyCancellable] = []
            var condition: Condition<Note> { Note.text == "a" }
            var url: URL?
            var version: Version<Note>?
            var difference: Daybook.Difference<Note>?

            func run(_ store: Store, _ position: ChangePosition) async throws {
                let box: Box<Note> = store.box()
                let query: Query<Note> = box.query(condition)
                notes = try await query.find()
                for try await commit: Commit in store.changes(from: position) {
                    let changes: [Change<Note>] = commit.changes(of: Note.self)
                    print(changes.count, Date(), UUID())
                }
            }
        }
        """

    private static let ownTypes = """
        struct List<Element> { var elements: [Element] }
        final class Map<Key: Hashable, Value> { var members: [Key: Value] = [:] }
        class Object { var object: Object? }
        struct Index { var position = 0 }
        enum Event { case started, ended }
        struct Observer { var name = "" }
        struct QueryBuilder { var text = "" }
        func own() -> (List<Int>, Map<String, Int>, Object, Index, Event) {
            (List(elements: [1]), Map(), Object(), Index(position: 1), .started)
        }
        """

    private static func problems(_ source: String) throws -> String {
        let folder = TemporaryDirectory()
        try folder.place("README", "What the compiler makes.")
        let standIn = root.appendingPathComponent("Tests/Combine/Combine.swift")
        let module = folder.url.appendingPathComponent("OpenCombine.swiftmodule")
        var run = try CompilerRun(
            [
                "-emit-module", "-module-name", "OpenCombine", "-parse-as-library", standIn.path,
                "-emit-module-path", module.path,
            ], in: folder.url)
        if !run.isSuccess { return run.text }
        let file = folder.url.appendingPathComponent("Source.swift")
        try Data(source.utf8).write(to: file)
        let products = try #require(CompilerRun.products, "the modules are not beside the tests")
        run = try CompilerRun(
            ["-typecheck", "-warnings-as-errors", "-I", folder.url.path, file.path]
                + CompilerRun.arguments(products: products), in: folder.url)
        return run.text
    }

    @Test func `a file with its own types uses Daybook together with other modules`() throws {
        let imports = ["Daybook", "Dispatch", "Foundation", "Observation", "OpenCombine"]
            .map { "import \($0)\n" }.joined()
        #expect(try Self.problems(imports + Self.use + "\n" + Self.ownTypes + "\n") == "")
    }

    /// The names that this file declares must not be declared by an imported module.
    @Test func `Daybook has no type of the names that Realm uses`() throws {
        let names = [
            "List", "Map", "MutableSet", "Object", "EmbeddedObject", "ObjectId", "Decimal128",
        ]
        for name in names {
            let problems = try Self.problems("import Daybook\nlet type = Daybook.\(name).self\n")
            #expect(problems.contains("error"), "Daybook declares \(name)")
        }
        let found = try Self.problems(
            "import DaybookRealm\nlet type = DaybookRealm.ObjectId.self\n")
        #expect(found == "")
    }
}
