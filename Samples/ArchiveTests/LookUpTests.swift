@testable import Archive
import Daybook
import Testing

@Suite struct LookUpTests {
    private func filled(_ name: String) throws -> Store {
        let store = try ArchiveCommand.open("memory:look-up-\(name)")
        let packages = [
            ("zstd", "fast compression algorithm", 700, "main/utils"),
            ("xz", "compression, and more compression", 600, "main/utils"),
            ("zlib", "a library that compresses", 100, "main/libs"),
            ("big", "nothing of the kind", 9_000, "main/libs"),
        ]
        for (name, summary, size, section) in packages {
            let fields = PackageFields(
                list: "l", name: name, version: "1", architecture: "all", summary: summary,
                size: size)
            try store.box().put(
                DebianPackage(fields: fields, section: ToOne(Section(path: section))))
        }
        return store
    }

    @Test func `a word search returns the most relevant packages first`() throws {
        let store = try filled("words")
        let lookUp = LookUp(store: store)
        #expect(
            try lookUp.packages(about: "compression", limit: 9).map(\.fields.name)
                == ["xz", "zstd"])
        #expect(
            Set(try lookUp.packages(about: "compress*", limit: 9).map(\.fields.name))
                == ["xz", "zstd", "zlib"])
        #expect(try lookUp.packages(about: "compress* library", limit: 9).count == 1)
        #expect(throws: DaybookError.self) { try lookUp.packages(about: " ", limit: 9) }
    }

    @Test func `the largest packages of a section are returned first`() throws {
        let lookUp = LookUp(store: try filled("sections"))
        #expect(try lookUp.largest(in: "libs", limit: 9).map(\.fields.name) == ["big", "zlib"])
        #expect(try lookUp.largest(in: "main/utils", limit: 1).map(\.fields.name) == ["zstd"])
        #expect(try lookUp.largest(in: "none", limit: 9).isEmpty)
    }
}
