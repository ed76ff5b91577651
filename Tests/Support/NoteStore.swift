package import DaybookBytes
package import DaybookEngine
import DaybookMaintenance
import DaybookRecords

/// A store of one entity with one string, at the level of the engine.
package final class NoteStore: Sendable {
    package static let path = "/store"

    package let engine: Engine
    package let entity: UInt32
    package let layout: UInt32
    private let rowLayout: RowLayout

    /// Opens the store. A writer also declares the entity.
    package init(
        _ fileSystem: any FileSystem, path: String = NoteStore.path,
        access: Engine.Access = .write, _ change: (inout EngineOptions) -> Void = { _ in }
    ) throws {
        var options = EngineOptions()
        options.isMaintenanceAutomatic = false
        options.refreshIntervalMilliseconds = 0
        options.log.preallocationStepBytes = 16 << 10
        change(&options)
        engine = try Engine.open(path, fileSystem, access: access, options: options)
        let declaration = EntityDeclaration(
            name: "Note", fields: [FieldDeclaration(name: "text", type: .string)])
        let known = try engine.register([declaration])[0]
        entity = known.entityID
        layout = known.layoutID
        rowLayout = RowLayout(known)
    }

    /// Encodes a string as a row.
    package func row(_ text: String) throws -> [UInt8] {
        var encoder = RowEncoder(rowLayout)
        try encoder.set(text: text, at: 0)
        encoder.finish()
        return encoder.row.array
    }

    /// Puts a note in its own transaction, or in the current transaction of the thread.
    @discardableResult
    package func put(_ text: String, id: UInt64 = 0, mode: PutMode = .put) throws -> UInt64 {
        try engine.write { try self.put(text, id: id, mode: mode, in: $0) }
    }

    /// Puts a note in a running transaction.
    @discardableResult
    package func put(
        _ text: String, id: UInt64 = 0, mode: PutMode = .put, in transaction: WriteTransaction
    ) throws -> UInt64 {
        let row = try row(text)
        return try transaction.changes.put(
            entity, id, layout: layout, row: row.span, PutOptions(mode: mode)
        ).id
    }

    /// Removes a note. Returns false if it does not exist.
    @discardableResult
    package func remove(_ id: UInt64) throws -> Bool {
        try engine.write { try $0.changes.remove(self.entity, id) }
    }

    /// Returns the string of a note; nil if the note does not exist.
    package func text(_ id: UInt64) throws -> String? {
        try engine.row(entity, id).map { try text(of: $0) }
    }

    /// Returns all notes.
    package func all() throws -> [UInt64: String] {
        var found: [UInt64: String] = [:]
        try engine.forEachRow(entity) { row in
            found[row.id] = try text(of: row)
            return true
        }
        return found
    }

    /// Returns the number of notes.
    package func count() throws -> Int { try engine.count(entity) }

    /// Returns the string of a row.
    package func text(of row: StoredRow) throws -> String {
        let layout = rowLayout
        let bytes = row.bytes
        let view = try RowView(bytes, layout)
        return try view.text(0)
    }

    /// Closes the store after checking that a replay of the log gives the same indexes.
    package func closeProven() throws {
        try engine.proveReplay()
        try engine.close()
    }
}

extension Engine {
    /// Throws unless a replay of the whole log gives the live state, bit for bit.
    package func proveReplay() throws {
        let check = try checkReplay()
        guard check.isEqual else {
            throw DaybookError(.corruption, "The log does not fold to the live state: \(check).")
        }
    }
}
