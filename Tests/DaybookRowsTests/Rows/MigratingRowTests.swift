@testable import Daybook
import DaybookEngine
import DaybookBytes
import DaybookRecords
import DaybookRows
import DaybookTestSupport
import Foundation
import Testing

/// A store in which a migration was interrupted.
@Suite struct MigratingRowTests {
    private let directory = TemporaryDirectory()

    /// Begins a migration of notes that converts their stars.
    private func interrupt() throws {
        let store = try Store(directory: directory.url, entities: Note.self)
        try store.box().put(Note(text: "a", stars: 1))
        let schema = store.engine.schemas.schema
        let entity = try #require(schema.entity(named: "Note"))
        var layout = try #require(schema.currentLayout(ofEntity: entity.id))
        layout.layoutID = schema.nextLayoutID
        layout.version += 1
        try store.engine.write { transaction in
            try transaction.changes.define(
                layout.noting(
                    MigrationProgress(version: 1, steps: [.transform(1): 1], retyped: [:])))
        }
        try store.close()
    }

    @Test func `objects of an unfinished migration are read and not put`() throws {
        try interrupt()
        // A program without the migration cannot open the store for writing.
        expectError(.schemaTooNew) { _ = try Store(path: directory.path, entities: []) }
        var options = StoreOptions()
        options.isReadOnly = true
        let store = try Store(path: directory.path, entities: [], options: options)
        #expect(try store.rows(of: "Note").get(1)?["text"] == "a")
        try store.close()
        // The command registers no types.
        let engine = try Engine.openExisting(directory.path, RealFileSystem())
        let form = try RowForm("Note", engine.schemas)
        let error = expectError(.schemaMismatch) { _ = try RowPut(form) }
        #expect(error?.details["entity"] == "Note")
        try engine.close()
    }
}
