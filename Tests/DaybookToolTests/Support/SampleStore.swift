import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookLog
import DaybookTesting
import Foundation

/// A store on disk in its own temporary folder, which is removed with this object.
final class SampleStore {
    let folder: URL
    private(set) var engine: Engine?
    private(set) var layouts: [EntityLayout] = []

    /// The store's directory.
    var path: String { folder.appendingPathComponent("store").path }

    init(_ change: (inout EngineOptions) -> Void = { _ in }) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("daybook-tool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try open(change)
    }

    deinit {
        try? engine?.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Opens the store for writing, like another process.
    func open(_ change: (inout EngineOptions) -> Void = { _ in }) throws {
        var options = EngineOptions()
        options.isMaintenanceAutomatic = false
        options.durability = .manual
        change(&options)
        let engine = try Engine.open(path, RealFileSystem(), options: options)
        layouts = try engine.register([Self.person, Self.note])
        self.engine = engine
    }

    func close() throws {
        try engine?.close()
        engine = nil
    }

    /// Returns another path in the same folder.
    func sibling(_ name: String) -> String { folder.appendingPathComponent(name).path }

    static let person = EntityDeclaration(
        name: "Person",
        fields: [
            FieldDeclaration(name: "name", type: .string),
            FieldDeclaration(name: "age", type: .int32, isOptional: true),
        ])
    static let note = EntityDeclaration(
        name: "Note", fields: [FieldDeclaration(name: "text", type: .bytes)])

    /// Puts a person; id 0 creates a new one. Returns the id.
    @discardableResult
    func put(
        _ name: String, age: Int32? = nil, id: UInt64 = 0, metadata: [String: String] = [:]
    ) throws -> UInt64 {
        try write(metadata) { try self.put(name, age: age, id: id, in: $0) }
    }

    @discardableResult
    func put(
        _ name: String, age: Int32? = nil, id: UInt64 = 0, in transaction: WriteTransaction
    ) throws -> UInt64 {
        var row = RowEncoder(RowLayout(layouts[0]))
        row.begin()
        try row.set(text: name, at: 0)
        if let age { row.set(int32: age, at: 1) }
        row.finish()
        return try transaction.changes.put(
            layouts[0].entityID, id, layout: layouts[0].layoutID, row: row.row
        ).id
    }

    /// Puts a note with a number of incompressible bytes.
    func putNote(lengthBytes: Int, seed: UInt64, in transaction: WriteTransaction) throws {
        var generator = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lengthBytes + 8)
        while bytes.count < lengthBytes {
            var word = generator.next()
            for _ in 0..<8 {
                bytes.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
            }
        }
        var row = RowEncoder(RowLayout(layouts[1]))
        row.begin()
        try row.set(bytes: bytes.span, at: 0)
        row.finish()
        try transaction.changes.put(
            layouts[1].entityID, 0, layout: layouts[1].layoutID, row: row.row)
    }

    func remove(_ id: UInt64) throws {
        try write { _ = try $0.changes.remove(self.layouts[0].entityID, id) }
    }

    @discardableResult
    func write<Result>(
        _ metadata: [String: String] = [:], _ body: (WriteTransaction) throws -> Result
    ) throws -> Result {
        try engine!.write(metadata: metadata, body)
    }

    /// Returns the bytes of every file of the store.
    func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        let names = FileManager.default.enumerator(atPath: path)
        while let name = names?.nextObject() as? String {
            var isFolder: ObjCBool = false
            let file = path + "/" + name
            _ = FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
            files[name] =
                isFolder.boolValue ? Data() : try Data(contentsOf: URL(fileURLWithPath: file))
        }
        return files
    }

    /// Returns the names of the segments, oldest first.
    func segments() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { $0.hasPrefix("segment-") }.sorted()
    }
}

extension SampleStore {
    /// Returns a closed store of some incompressible megabytes, so that commands take a while.
    static func large(segments: Int = 12) throws -> SampleStore {
        let store = try SampleStore { $0.log.segmentSizeBytes = 256 << 10 }
        for index in 0..<segments {
            try store.write { transaction in
                for part in 0..<16 {
                    try store.putNote(
                        lengthBytes: 16 << 10, seed: UInt64(index * 100 + part), in: transaction)
                }
            }
        }
        try store.close()
        return store
    }
}
