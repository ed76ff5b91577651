@testable import Daybook
import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookMaintenance
import DaybookTestSupport
import Foundation
import Synchronization
import Testing

extension SchemaTests {
    /// Nested in the other suite, because only one test at a time can use ``Shaped``.
    @Suite(.serialized) struct MigrationTests: ShapedPrograms {
        let directory = TemporaryDirectory()

        @Test func `a conversion runs over all objects, once`() throws {
            try people()
            var (store, box) = try open([age, name], migrations: [toNumber])
            let expected = [["name": "Ada", "age": "36"], ["name": "Bob", "age": "-2"]]
            #expect(try box.all().map(\.found) == expected)
            let sequence = try store.sequence
            try store.engine.proveReplay()
            try store.close()
            (store, box) = try open([age, name], migrations: [toNumber])
            #expect(try store.sequence == sequence && box.all().map(\.found) == expected)
            try store.close()
            // The history keeps the written values.
            (store, box) = try open([age, name])
            var rows: [String] = []
            try store.engine.forEachTransaction { transaction throws(DaybookError) in
                for index in 0..<transaction.eventCount {
                    var text = JSONText()
                    try transaction[index].appendRow(to: &text)
                    rows.append(text.text)
                }
                return true
            }
            #expect(
                rows == [
                    #"{"name":"Ada","age":"36"}"#, #"{"name":"Bob","age":null}"#,
                    #"{"age":36,"name":"Ada"}"#, #"{"age":-2,"name":"Bob"}"#,
                ])
            try store.close()
        }

        @Test func `without a conversion the store is refused, and the error names the remedy`()
            throws
        {
            try people()
            let files = try directory.names
            let error = expectError(.schemaMismatch) { _ = try open([age, name]) }
            #expect(error?.details["declared"] == "int64" && error?.details["stored"] == "string?")
            #expect(error?.message.contains("migration") == true)
            // A migration of another property does not help.
            let others: [Migration] = [
                .convert("Shaped", "name", from: String.self, to: Int.self) { _ in 0 },
                .transform("Shaped") { _, new in try new.set("name", to: "X") },
            ]
            for migration in others {
                expectError(.schemaMismatch) {
                    _ = try open([age, name], migrations: [migration])
                }
            }
            expectError(.schemaMismatch) {
                _ = try open([age, name], migrations: [toNumber], isReadOnly: true)
            }
            #expect(try directory.names == files)
            let (store, box) = try open([name, ageText])
            #expect(try box.all().map { $0.found["age"] } == ["36", "nil"])
            try store.close()
        }

        @Test func `a migration transforms, splits and removes whole objects`() throws {
            let (store, box) = try open([name, age])
            try put(box, ["name": "Ada Lovelace", "age": 36])
            try put(box, ["name": "Nobody", "age": 0])
            try put(box, ["name": "Grace Hopper", "age": 85])
            try store.close()
            let split = Migration.transform("Shaped") { old, new in
                #expect(old.id == new.id && old.has("name") && !old.has("first"))
                let words = try old["name", as: String.self].split(separator: " ")
                guard words.count == 2 else { return new.remove() }
                try new.set("first", to: String(words[0]))
                try new.set("last", to: String?(String(words[1])))
                try new.set("age", to: try new["age", as: Int.self] + 1)
            }
            let (again, people) = try open(
                [
                    .property("last", String?.self), age, .property("first", String.self),
                ], migrations: [split])
            #expect(
                try people.all().map(\.found) == [
                    ["first": "Ada", "last": "Lovelace", "age": "37"],
                    ["first": "Grace", "last": "Hopper", "age": "86"],
                ])
            #expect(try people.contains(2) == false)
            try again.engine.proveReplay()
            try again.close()
        }

        @Test
        func `a migration that throws changes nothing, and its error is the cause`()
            throws
        {
            try people()
            let failing = Migration.convert("Shaped", "age", from: String.self, to: Int.self) {
                old in
                guard let old else { throw Refusal(number: 7) }
                return Int(old) ?? 0
            }
            let error = expectError(.migrationFailed) {
                _ = try open([age, name], migrations: [failing])
            }
            #expect(error?.details == ["entity": "Shaped", "id": "2"])
            #expect(error?.cause as? Refusal == Refusal(number: 7))
            let (store, box) = try open([name, ageText])
            #expect(try store.sequence == 3)
            #expect(try box.all().map { $0.found["age"] } == ["36", "nil"])
            try store.close()
        }

        @Test func `a wrong access in a migration is a typed error`() throws {
            try people()
            let wrong: [(DaybookError.Code, Migration)] = [
                (
                    .invalidArgument,
                    .transform("Shaped") { old, _ in _ = try old["x", as: Int.self] }
                ),
                (.invalidArgument, .transform("Shaped") { _, new in try new.set("x", to: 1) }),
                (
                    .schemaMismatch,
                    .transform("Shaped") { old, _ in _ = try old["age", as: Int.self] }
                ),
                (.schemaMismatch, .transform("Shaped") { _, new in try new.set("age", to: "x") }),
                (
                    .schemaMismatch,
                    .convert("Shaped", "age", from: Double.self, to: Int.self) { _ in 0 }
                ),
            ]
            for (code, migration) in wrong {
                let error = expectError(.migrationFailed) {
                    _ = try open([age, name], migrations: [migration])
                }
                #expect((error?.cause as? DaybookError)?.code == code)
            }
        }

        @Test func `a store cannot be used inside a migration`() throws {
            try people()
            let other = try Store(directoryPath: "memory:beside", entities: Note.self)
            let path = directory.path
            let using: [(DaybookError.Code, @Sendable () throws -> Void)] = [
                (.insideConversion, { _ = try other.box(for: Note.self).count() }),
                (.insideConversion, { try other.box(for: Note.self).put(Note(text: "a")) }),
                (.locked, { _ = try Store(directoryPath: path, entities: Note.self) }),
            ]
            for (code, use) in using {
                let migration = Migration.convert("Shaped", "age", from: String.self, to: Int.self)
                {
                    _ in
                    try use()
                    return 0
                }
                let error = expectError(.migrationFailed) {
                    _ = try open([age, name], migrations: [migration])
                }
                #expect((error?.cause as? DaybookError)?.code == code)
            }
            #expect(try other.box(for: Note.self).count() == 0)
            try other.close()
        }

        @Test func `progress is reported per entity, from zero to one`() throws {
            let (store, box) = try open([name, ageText])
            for number in 0..<600 { try put(box, ["name": "\(number)", "age": String?("1")]) }
            try store.close()
            let reports = Mutex<[OpeningProgress]>([])
            let (again, _) = try open([age, name], migrations: [toNumber]) { progress in
                reports.withLock { $0.append(progress) }
            }
            let fractions = reports.withLock { $0.map(\.fraction) }
            #expect(fractions.first == 0 && fractions.last == 1 && fractions.count == 4)
            #expect(fractions == fractions.sorted())
            #expect(reports.withLock { $0.allSatisfy { $0.phase == .migrating(entity: "Shaped") } })
            try again.close()
        }

        @Test func `a versioned migration runs once in the life of a store`() throws {
            let (store, box) = try open([name])
            try put(box, ["name": "a"])
            try store.close()
            let longer = Migration.transform("Shaped", toVersion: 2) { old, new in
                try new.set("name", to: try old["name", as: String.self] + "!")
            }
            expectError(.invalidArgument) { _ = try open([name], migrations: [longer], version: 1) }
            for _ in 0..<2 {
                let (later, people) = try open([name], migrations: [longer], version: 2)
                #expect(try people.get(1)?.found == ["name": "a!"])
                try later.close()
            }
            let (last, people) = try open([name, age], migrations: [longer], version: 3)
            #expect(try people.get(1)?.found == ["name": "a!", "age": "0"])
            try last.close()
        }

        @Test func `building an index over existing objects reports progress`() throws {
            let (store, box) = try open([name])
            try store.write {
                for number in 0..<5000 { try put(box, ["name": "\(number)"]) }
            }
            try store.close()
            let reports = Mutex<[OpeningProgress]>([])
            let (again, _) = try open([.property("name", String.self, .index(.value))]) { step in
                reports.withLock { $0.append(step) }
            }
            while reports.withLock({ $0.last?.fraction != 1 }) { usleep(1000) }
            let steps = reports.withLock { $0 }
            #expect(
                steps.allSatisfy {
                    $0.phase == .buildingIndex(entity: "Shaped", properties: "name")
                })
            #expect(steps.count > 1 && steps.map(\.fraction) == steps.map(\.fraction).sorted())
            #expect(again.engine.indexProgress.isEmpty)
            try again.engine.proveReplay()
            try again.close()
        }

        @Test func `a migration runs on objects and not on events`() throws {
            struct Happened: Event {
                static let entityDescription = EntityDescription(
                    "Happened", [.property("what", String.self)])
                static func decode(_ row: borrowing RowReader) throws -> Happened { Happened() }
                func encode(into row: inout RowWriter) throws {}
            }
            var options = StoreOptions()
            for migration: Migration in [
                .transform("Happened") { _, _ in },
                .convert("Happened", "what", from: Int.self, to: String.self) { _ in "" },
            ] {
                options.migrations = [migration]
                expectError(.invalidArgument) {
                    _ = try Store(
                        path: directory.path, entities: [Happened.self], options: options)
                }
                #expect(!FileManager.default.fileExists(atPath: directory.path))
            }
        }
    }
}
