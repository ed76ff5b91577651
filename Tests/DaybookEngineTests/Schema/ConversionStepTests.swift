import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
import DaybookRecords
import DaybookTesting
import DaybookTestSupport
import Synchronization
import Testing

/// Migrations in steps that convert a property to another type: objects of both types coexist.
@Suite struct ConversionStepTests {
    private let fileSystem = MemoryFileSystem()

    private static func declaration(_ type: FieldType) -> EntityDeclaration {
        EntityDeclaration(name: "Note", fields: [FieldDeclaration(name: "text", type: type)])
    }

    /// Converts strings to numbers. Sets no value for an object in `unset`, and throws for
    /// `failing`.
    private static func conversion(
        unset: UInt64 = 0, failing: UInt64 = 0
    ) -> EntityMigration {
        EntityMigration("Note", .convert(property: "text")) { object in
            if object.id == failing { throw Difference(what: "object \(failing)") }
            if object.id == unset { return }
            let place = try #require(object.old.places["text"])
            let (old, oldLayout) = (object.oldRow, object.old.layout)
            let text = try RowView(old.span, oldLayout).text(place)
            var encoder = RowEncoder(object.new)
            encoder.set(int64: Int64(text) ?? -1, at: 0)
            encoder.finish()
            object.newRow = encoder.row.array
            object.changed = ["text"]
        }
    }

    @discardableResult
    private func open(
        _ files: MemoryFileSystem, _ declarations: [EntityDeclaration],
        _ migrations: EntityMigration..., access: Engine.Access = .write, version: UInt64 = 0,
        path: String = NoteStore.path,
        willMigrate: (Engine, [EntityLayout]) throws -> Void = { _, _ in }
    ) throws -> Engine {
        var options = EngineOptions()
        options.isMaintenanceAutomatic = false
        options.migrationStep.count = 3
        let engine = try Engine.open(path, files, access: access, options: options)
        var registration = Registration(declarations)
        registration.migrations = migrations
        registration.schemaVersion = version
        do {
            _ = try engine.register(registration) { try willMigrate(engine, $0) }
        } catch {
            try? engine.close()
            throw error
        }
        return engine
    }

    /// Creates ten notes, of which the first six are converted.
    private func interrupted() throws {
        let notes = try NoteStore(fileSystem)
        for number in 1...10 { try notes.put("\(number)") }
        try notes.engine.close()
        expectError(.migrationFailed) {
            try open(fileSystem, [Self.declaration(.int64)], Self.conversion(failing: 8))
        }
    }

    private func values(_ engine: Engine) throws -> [String] {
        var values: [String] = []
        try engine.forEachRow(1) { row in
            let layout = try engine.schemas.rowLayout(row.layout)
            let bytes = row.bytes
            let view = try RowView(bytes, layout)
            let isNumber = layout.layout.fields[0].type == .int64
            values.append(isNumber ? "\(view.int64(0))" : "'\(try view.text(0))'")
            return true
        }
        return values
    }

    private let mixed = (1...6).map { "\($0)" } + (7...10).map { "'\($0)'" }

    @Test func `objects of both types coexist, and a reader of the new type is refused meanwhile`()
        throws
    {
        try interrupted()
        for files in [fileSystem, fileSystem.afterKill()] {
            let error = expectError(.schemaMismatch) {
                try open(files, [Self.declaration(.int64)], access: .read)
            }
            #expect(error?.message.contains("not finished") == true)
            expectError(.schemaMismatch) {
                try open(files, [Self.declaration(.string)], access: .read)
            }
            let reader = try open(files, [], access: .read)
            #expect(try values(reader) == mixed)
            try reader.close()
        }
        let engine = try open(fileSystem, [Self.declaration(.int64)], Self.conversion())
        #expect(try values(engine) == (1...10).map { "\($0)" })
        try engine.proveReplay()
        try engine.close()
        try open(fileSystem, [Self.declaration(.int64)], access: .read).close()
    }

    @Test func `a conversion that sets no value is refused in a later step, too`() throws {
        try interrupted()
        expectError(.schemaMismatch) {
            try open(fileSystem, [Self.declaration(.int64)], Self.conversion(unset: 9))
        }
        let engine = try open(fileSystem, [Self.declaration(.int64)], Self.conversion())
        #expect(try values(engine) == (1...10).map { "\($0)" })
        try engine.close()
    }

    @Test func `a program without the conversion cannot write`() throws {
        try interrupted()
        let renamed = EntityDeclaration(
            name: "Memo", fields: [FieldDeclaration(name: "text", type: .int64)],
            formerNames: ["Note"])
        for declarations in [
            [Self.declaration(.string)], [Self.declaration(.int64)], [], [renamed],
        ] {
            let error = expectError(.schemaMismatch) { try open(fileSystem, declarations) }
            #expect(error?.details["step"] == "conversion of text")
        }
    }

    @Test func `a continuing program may have other new declarations`() throws {
        try interrupted()
        let value = EntityDeclaration(
            name: "Place", kind: .embedded, fields: [FieldDeclaration(name: "x", type: .int64)])
        let other = EntityDeclaration(
            name: "Other", fields: [FieldDeclaration(name: "x", type: .int64)])
        var note = Self.declaration(.int64)
        note.fields.append(FieldDeclaration(name: "place", type: .int64, isOptional: true))
        let engine = try open(
            fileSystem, [value, other, note], Self.conversion(), version: 4
        ) { engine, layouts in
            // Converted rows may contain the numbers of embedded layouts.
            #expect(engine.schemas.schema.layout(layouts[0].layoutID) == layouts[0])
        }
        #expect(try values(engine) == (1...10).map { "\($0)" })
        #expect(engine.schemas.schema.version == 4)
        #expect(engine.schemas.schema.currentLayout(ofEntity: 1)?.fields.count == 2)
        try engine.proveReplay()
        try engine.close()
    }

    @Test func `a repair that loses a step leaves its objects to be converted again`() throws {
        let notes = try NoteStore(fileSystem)
        for number in 1...10 { try notes.put("\(number)") }
        try notes.engine.close()
        let killed = Mutex<MemoryFileSystem?>(nil)
        let files = fileSystem
        let killing = EntityMigration("Note", .convert(property: "text")) { object in
            if object.id == 8 { killed.withLock { $0 = files.afterKill() } }
            try Self.conversion(failing: 8).body(&object)
        }
        expectError(.migrationFailed) {
            try open(fileSystem, [Self.declaration(.int64)], killing)
        }
        let found = try #require(killed.withLock { $0 })
        let segment = try #require(found.paths("segment-").last)
        let damaged = found.afterKill(changing: segment) { bytes in
            // The first record begins the migration, and the second one ends the first step.
            let word = Array("migration.next".utf8)
            let places = bytes.indices.filter { bytes[$0...].starts(with: word) }
            if places.count == 3 { bytes[places[1]] ^= 1 }
        }
        for keepsIncomplete in [true, false] {
            let path = "/repaired \(keepsIncomplete)"
            let report = try Engine.repair(
                NoteStore.path, into: path, damaged, keepsIncomplete: keepsIncomplete)
            #expect(!report.damages.isEmpty)
            let engine = try open(
                damaged, [Self.declaration(.int64)], Self.conversion(), path: path)
            #expect(try values(engine) == (1...10).map { "\($0)" })
            try engine.proveReplay()
            try engine.close()
        }
    }

    @Test func `undoing a step does not restore values that have no form any more`() throws {
        try interrupted()
        let engine = try open(fileSystem, [Self.declaration(.int64)], Self.conversion())
        let last = try engine.visibleSequence
        // The last commit defines the final layout.
        for sequence in (last - 3)...(last - 1) {
            expectError(.conflict) { _ = try engine.undo(sequence...sequence) }
        }
        #expect(try values(engine) == (1...10).map { "\($0)" })
        try engine.close()
    }

    @Test func `a dump, a dump of the history and a repair contain an unfinished migration`() throws
    {
        try interrupted()
        let engine = try open(fileSystem, [], access: .read)
        var dumps = [JSONText(), JSONText()]
        _ = try engine.dump { write throws(DaybookError) in
            try write(&dumps[0])
            dumps[0].newLine()
        }
        _ = try engine.dumpHistory { write throws(DaybookError) in
            try write(&dumps[1])
            dumps[1].newLine()
        }
        try engine.close()
        var copies: [(path: String, files: MemoryFileSystem)] = []
        for dump in dumps {
            let files = MemoryFileSystem()
            var rest: [UInt8] = Array(dump.text.utf8)
            _ = try Engine.load(
                into: NoteStore.path, files,
                from: { () throws(DaybookError) in
                    defer { rest = [] }
                    return rest
                })
            copies.append((NoteStore.path, files))
        }
        _ = try Engine.repair(NoteStore.path, into: "/repaired", fileSystem)
        copies.append(("/repaired", fileSystem))
        for (path, files) in copies {
            let engine = try open(
                files, [Self.declaration(.int64)], Self.conversion(), path: path)
            #expect(try values(engine) == (1...10).map { "\($0)" })
            try engine.close()
        }
    }
}
