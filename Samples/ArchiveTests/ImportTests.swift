@testable import Archive
import Daybook
import Testing

@Suite struct ImportTests {
    private let list = PackageList(path: "/lists/example_Packages.lz4")

    private func open(_ name: String = #function) throws -> Store {
        try ArchiveCommand.open("memory:\(name)")
    }

    private func text(_ packages: (name: String, version: String)...) -> [UInt8] {
        let paragraphs = packages.map {
            "Package: \($0.name)\nVersion: \($0.version)\nArchitecture: all\n"
        }
        return Array(paragraphs.joined(separator: "\n").utf8)
    }

    @Test func `the name of a list is its file name without the extension`() {
        #expect(list.name == "example_Packages")
        #expect(PackageList(path: "a.example_Packages").name == "a.example_Packages")
    }

    @Test func `importing the same text again makes no commit`() throws {
        let store = try open()
        let text = text(("a", "1"), ("b", "1"))
        let first = try Import(store).run(text, of: list)
        #expect(first == Import.Outcome(insertedCount: 2))
        let sequence = try store.sequence
        let second = try Import(store).run(text, of: list)
        #expect(second == Import.Outcome(unchangedCount: 2))
        #expect(try store.sequence == sequence)
    }

    @Test func `changed, new and removed packages are distinguished`() throws {
        let store = try open()
        _ = try Import(store).run(text(("a", "1"), ("b", "1"), ("c", "1")), of: list)
        let outcome = try Import(store).run(text(("a", "1"), ("b", "2"), ("d", "1")), of: list)
        #expect(
            outcome
                == Import.Outcome(
                    insertedCount: 1, changedCount: 1, removedCount: 1, unchangedCount: 1))
        let packages = try store.box(for: DebianPackage.self).all()
        #expect(packages.map(\.fields.name) == ["a", "b", "d"])
        #expect(packages.map(\.fields.version) == ["1", "2", "1"])
        #expect(packages.map(\.id) == [1, 2, 4])
    }

    @Test func `a package that is listed twice is stored twice`() throws {
        let store = try open()
        let text = text(("a", "1"), ("a", "2"))
        #expect(try Import(store).run(text, of: list).insertedCount == 2)
        #expect(try Import(store).run(text, of: list).unchangedCount == 2)
    }

    @Test func `importing another list changes no package of the first list`() throws {
        let store = try open()
        _ = try Import(store).run(text(("a", "1")), of: list)
        let other = PackageList(path: "/lists/other_Packages")
        #expect(try Import(store).run(text(("a", "9")), of: other).insertedCount == 1)
        #expect(
            try LookUp(store: store).packages(named: "a").map(\.fields.version) == ["1", "9"])
    }

    @Test func `progress rises to the length of the text`() throws {
        let store = try open()
        let text = text(("a", "1"), ("b", "1"))
        var told: [Int] = []
        _ = try Import(store).run(text, of: list) { told.append($0) }
        #expect(told == [text.count])
    }

    @Test func `every property of the excerpt is unchanged`() throws {
        let store = try open()
        let excerpt = try PackageList.excerpt
        let text = try excerpt.text()
        let outcome = try Import(store).run(text, of: excerpt)
        #expect(outcome.insertedCount == 226)
        let stored = try store.box(for: DebianPackage.self).all()
        let parsed = try Paragraphs(text).map { try Listing($0, list: excerpt.name) }
        for (left, right) in zip(stored, parsed) {
            #expect(left.fields == right.fields)
            #expect(left.maintainer.target?.text == right.maintainer)
            #expect(left.section.target?.path == right.section.map(Section.path))
        }
        #expect(stored.count == parsed.count)
    }
}
