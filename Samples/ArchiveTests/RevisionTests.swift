@testable import Archive
import Daybook
import Testing

@Suite struct RevisionTests {
    private func filled(_ name: String = #function) throws -> Store {
        let store = try ArchiveCommand.open("memory:\(name)")
        let packages = (1...1300).map {
            DebianPackage(
                fields: PackageFields(
                    list: "l", name: "p\($0)", version: "1", architecture: "all"))
        }
        try store.box(for: DebianPackage.self).put(packages)
        return store
    }

    @Test func `a revision changes some packages and removes others in one commit`() throws {
        let store = try filled()
        let before = try store.sequence
        let outcome = try Revision(store: store).run()
        #expect(outcome == Revision.Outcome(changedCount: 26, removedCount: 10))
        #expect(try store.sequence == before + 1)
        let box = store.box(for: DebianPackage.self)
        #expect(try box.get(1)?.fields.version == "1+revised")
        #expect(try box.get(2)?.fields.version == "1")
        #expect(try box.get(120) == nil)
        #expect(try box.count() == 1290)
    }

    @Test func `packages are found by name and by id`() throws {
        let store = try filled()
        #expect(try LookUp(store: store).packages(named: "p77").map(\.id) == [77])
        #expect(try LookUp(store: store).getSome(500) == 500)
    }

    @Test func `statements for SQLite quote strings and write bytes and null`() throws {
        let store = try ArchiveCommand.open("memory:sql")
        let fields = PackageFields(
            list: "l", name: "it's", version: "1", architecture: "all", size: 5, sha256: [0xab])
        try store.box(for: DebianPackage.self).put(
            DebianPackage(
                fields: fields, maintainer: ToOne(Maintainer("O'Hara")),
                section: ToOne(Section(path: "main/net")), dependsOn: [DebianPackage()]))
        var text = ""
        try SQLText(store: store).run { text += $0 }
        #expect(text.contains("INSERT INTO package VALUES(1,'l','it''s','1','all',NULL,"))
        #expect(text.contains(",5,NULL,NULL,X'ab',NULL,1,1);\n"))
        #expect(text.contains("INSERT INTO maintainer VALUES(1,'O''Hara');\n"))
        #expect(text.contains("INSERT INTO section VALUES(1,'main/net',2);\n"))
        #expect(text.contains("INSERT INTO dependsOn VALUES(1,2);\n"))
    }
}
