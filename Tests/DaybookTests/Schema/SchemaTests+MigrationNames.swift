@testable import Daybook
import DaybookTestSupport
import Foundation
import Testing

extension SchemaTests {
    @Suite(.serialized) struct MigrationNameTests: ShapedPrograms {
        let directory = TemporaryDirectory()

        private let unknown: [(Migration, details: [String: String], suggestion: String)] = [
            (.transform("Shapd", toVersion: 2) { _, _ in }, ["entity": "Shapd"], "'Shaped'"),
            (.transform("Shapd") { _, _ in }, ["entity": "Shapd"], "'Shaped'"),
            (
                .convert("Shapd", "age", from: String.self, to: Int.self) { _ in 0 },
                ["entity": "Shapd"], "'Shaped'"
            ),
            (
                .convert("Shaped", "aeg", from: String.self, to: Int.self) { _ in 0 },
                ["entity": "Shaped", "property": "aeg"], "'age'"
            ),
            (.forget("Shapd", "note"), ["entity": "Shapd"], "'Shaped'"),
        ]

        @Test func `an unknown name in a migration is refused before anything is written`() throws {
            for isNew in [true, false] {
                if !isNew { try people() }
                let files = isNew ? [] : try directory.names
                for (migration, details, suggestion) in unknown {
                    let error = expectError(.invalidArgument) {
                        _ = try open([ageText, name], migrations: [migration], version: 2)
                    }
                    #expect(error?.details == details)
                    #expect(error?.message.contains(suggestion) == true)
                }
                if isNew {
                    #expect(!FileManager.default.fileExists(atPath: directory.path))
                } else {
                    #expect(try directory.names == files)
                }
            }
        }

        @Test func `an unknown name in a migration is refused in a read-only store`() throws {
            try people()
            for (migration, details, _) in unknown {
                let error = expectError(.invalidArgument) {
                    _ = try open(
                        [name, ageText], migrations: [migration], version: 2, isReadOnly: true)
                }
                #expect(error?.details == details)
            }
        }

        @Test func `a migration runs once its name is corrected`() throws {
            try people()
            func transform(_ entity: String) -> Migration {
                .transform(entity, toVersion: 2) { _, new in try new.set("name", to: "new") }
            }
            expectError(.invalidArgument) {
                _ = try open([name, ageText], migrations: [transform("Shapd")], version: 2)
            }
            let (store, box) = try open(
                [name, ageText], migrations: [transform("Shaped")], version: 2)
            #expect(try box.all().map { $0.found["name"] } == ["new", "new"])
            try store.close()
        }

        @Test func `deleting the data of a removed entity checks the name against the store`()
            throws
        {
            let first = try Store(directory: directory.url, entities: Note.self)
            try first.box().put(Note(text: "a"))
            try first.close()
            let (without, _) = try open([name])
            let sequence = try without.sequence
            try without.close()
            for isReadOnly in [true, false] {
                let error = expectError(.invalidArgument) {
                    _ = try open([name], migrations: [.deleteData("Nota")], isReadOnly: isReadOnly)
                }
                #expect(error?.details == ["entity": "Nota"])
                #expect(error?.message.contains("'Note'") == true)
            }
            let (same, _) = try open([name])
            #expect(try same.sequence == sequence)
            try same.close()
            // The store never had this entity, so there is nothing to delete.
            let (store, _) = try open([name], migrations: [.deleteData("Invoice")])
            #expect(try store.sequence == sequence)
            try store.close()
            // The name "Nota" is valid together with a migration that deletes the stored entity.
            let (last, _) = try open(
                [name], migrations: [.deleteData("Nota"), .deleteData("Note")])
            #expect(try last.sequence == sequence + 1)
            try last.close()
        }

        @Test
        func
            `migrations of removed entities may stay in a program that creates a store`()
            throws
        {
            let migrations: [Migration] = [.deleteData("Note"), .forget("Shaped", "age")]
            for _ in 0..<2 {
                let (store, box) = try open([name], migrations: migrations)
                #expect(try box.count() == 0)
                try store.close()
            }
        }

        @Test func `forgetting a property checks its name against the store`() throws {
            try people()
            let error = expectError(.invalidArgument) {
                _ = try open([name], migrations: [.forget("Shaped", "aeg")])
            }
            #expect(error?.details == ["entity": "Shaped", "property": "aeg"])
            #expect(error?.message.contains("'age'") == true)
            let (store, _) = try open([name], migrations: [.forget("Shaped", "age")])
            try store.close()
        }

        @Test func `an unknown property of a migrated row names the nearest property`() throws {
            try people()
            let wrong: [Migration] = [
                .transform("Shaped") { old, _ in _ = try old["nmae", as: String.self] },
                .transform("Shaped") { _, new in try new.set("nmae", to: "x") },
                .transform("Shaped") { _, new in _ = try new["nmae", as: String.self] },
            ]
            for migration in wrong {
                let error = expectError(.migrationFailed) {
                    _ = try open([age, name], migrations: [migration])
                }
                let cause = error?.cause as? DaybookError
                #expect(cause?.code == .invalidArgument)
                #expect(cause?.details == ["entity": "Shaped", "property": "nmae"])
                #expect(cause?.message.contains("Did you mean 'name'?") == true)
            }
        }
    }
}
