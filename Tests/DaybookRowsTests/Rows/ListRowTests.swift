@testable import Daybook
import DaybookEngine
import DaybookRecords
import DaybookTestSupport
import Foundation
import Testing

/// Lists of objects, which the types of another module declare.
@Suite struct ListRowTests {
    private let store: Store

    init() throws {
        store = try Store(path: "memory:\(UUID())", entities: [])
        _ = try store.engine.register([
            EntityDeclaration(
                name: "Album",
                fields: [
                    FieldDeclaration(name: "title", type: .string),
                    FieldDeclaration(
                        name: "songs",
                        shape: ValueShape(.objects, isOptional: true, entityName: "Song")),
                ]),
            EntityDeclaration(
                name: "Song",
                fields: [FieldDeclaration(name: "name", type: .string)],
                indexes: [IndexDeclaration(columns: ["name"], isUnique: true)]),
        ])
        for name in ["a", "b", "c"] { try store.rows(of: "Song").put(["name": .text(name)]) }
    }

    @Test func `a list keeps its order and its repetitions`() throws {
        let albums = try store.rows(of: "Album")
        #expect(try store.schema["Album"]?.relation(named: "songs")?.kind == .list)
        try albums.put(["title": "x"], links: ["songs": [3, 1, 3]])
        #expect(try albums.get(1)?.links == ["songs": [3, 1, 3]])
        try albums.put([:], id: 1, links: ["songs": [1, 3, 2]])
        #expect(try albums.get(1)?.links == ["songs": [1, 3, 2]])
        let sequence = try store.sequence
        try albums.put([:], id: 1, links: ["songs": [1, 3, 2]])
        #expect(try store.view(at: .sequence(sequence)).rows(of: "Album").get(1)?.links.count == 1)
        try albums.put([:], id: 1, links: ["songs": []])
        #expect(try albums.get(1)?.links == ["songs": []])
        expectError(.notFound) { try albums.put([:], id: 1, links: ["songs": [1, 9]]) }
        try store.close()
    }

    @Test func `a list is imported by ids or by keys`() throws {
        let directory = TemporaryDirectory()
        try directory.place("in.csv", "title,songs.name\nx,\"[\"\"c\"\",\"\"a\"\",\"\"c\"\"]\"\n")
        let file = directory.url.appendingPathComponent("in.csv")
        try store.importRows(into: "Album", from: file, format: .csv)
        #expect(try store.rows(of: "Album").get(1)?.links == ["songs": [3, 1, 3]])
        try store.exportRows("Album", to: file, format: .csv)
        #expect(
            String(decoding: try Data(contentsOf: file), as: UTF8.self)
                == "id,title,songs\n1,x,\"[3,1,3]\"\n")
        try store.rows(of: "Album").put([:], id: 1, links: ["songs": []])
        var options = ImportOptions()
        options.onConflict = .replace
        try store.importRows(into: "Album", from: file, format: .csv, options: options)
        #expect(try store.rows(of: "Album").get(1)?.links == ["songs": [3, 1, 3]])
        try store.close()
    }
}
