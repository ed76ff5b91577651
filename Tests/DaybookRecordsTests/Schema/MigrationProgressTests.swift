import DaybookBytes
@testable import DaybookRecords
import Testing

/// The progress of a migration in the schema.
@Suite struct MigrationProgressTests {
    private let name = FieldDeclaration(name: "name", type: .string)

    private func progress(_ nextId: UInt64) -> MigrationProgress {
        var progress = MigrationProgress(
            version: 3,
            steps: [.convert("migration.next = 1\n"): 1, .transform(nil): 2, .transform(3): 1],
            retyped: [1: "name", 7: ""])
        progress.nextId = nextId
        return progress
    }

    private func declared(_ attributes: [String: String] = [:]) -> [EntityDeclaration] {
        [EntityDeclaration(name: "Person", fields: [name], attributes: attributes)]
    }

    @Test func `a layout contains the progress of a migration`() throws {
        var schema = Schema()
        let plain = try schema.settle(declared())[0]
        #expect(try MigrationProgress(in: plain) == nil)
        #expect(try !plain.isRepeated && schema.migrations.isEmpty)
        let first = try schema.settle(declared(progress(1).attributes))[0]
        #expect(first.layoutID == 2)
        #expect(try MigrationProgress(in: first) == progress(1))
        #expect(try !first.isRepeated && first.noting(progress(2)).isRepeated)
        #expect(schema.migrations == [1: progress(1)])
        // Any later layout ends it.
        #expect(try schema.settle(declared())[0].layoutID == 3)
        #expect(schema.migrations.isEmpty && schema.version == 0)
    }

    @Test func `a repeated layout notes progress, and never less than before`() throws {
        var schema = Schema()
        let layout = try schema.settle(declared(progress(1).attributes))[0]
        for (nextId, expected) in [(5, 5), (2, 5), (5, 5), (9, 9), (1, 9)] as [(UInt64, UInt64)] {
            try schema.add(layout.noting(progress(nextId)))
            #expect(schema.migrations == [1: progress(expected)])
            #expect(schema.layouts == [layout.noting(progress(expected))])
        }
        var writer = ByteWriter()
        schema.encode(to: &writer)
        var reader = ByteReader(writer.span)
        #expect(try Schema(from: &reader) == schema)
        // After a later layout, the progress does not return.
        _ = try schema.settle(declared())
        try schema.add(layout.noting(progress(20)))
        #expect(schema.migrations.isEmpty)
    }

    @Test func `progress that contradicts the schema is corruption`() throws {
        var schema = Schema()
        let layout = try schema.settle(declared(progress(1).attributes))[0]
        let plain = try schema.settle(declared() + [EntityDeclaration(name: "Other", fields: [])])
        var wrong: [EntityLayout] = []
        var other = progress(2)
        other.version = 4
        wrong.append(layout.noting(other))
        var renamed = layout.noting(progress(2))
        renamed.fields[0].name = "text"
        wrong.append(renamed)
        // A layout without a migration never gets one.
        wrong.append(plain[1].noting(progress(2)))
        for key in progress(1).attributes.keys where !key.hasPrefix("migration.retyped") {
            var damaged = layout.noting(progress(2))
            damaged.attributes[key] = "x"
            wrong.append(damaged)
        }
        let before = schema
        for layout in wrong {
            #expect(throws: DaybookError.self) { try schema.add(layout) }
            #expect(schema == before)
        }
    }
}
