@testable import Daybook
import DaybookEngine
@testable import DaybookRealm
import DaybookTestSupport
import Foundation
import Testing

/// Maps of objects in the history of a store, and without types.
@Suite struct ObjectMapHistoryTests {
    private let directory = TemporaryDirectory()
    private let store: Store

    init() throws { store = try Store(directory: directory.url, entities: Garden.self) }

    private var gardens: Box<Garden> { store.box() }
    private var plants: Box<Plant> { store.box() }

    /// Returns a garden with plants of these names by their keys, read from the store.
    private func garden(_ names: [String: String]) throws -> Garden {
        let garden = Garden("Eden")
        for (key, name) in names { garden.plants[key] = Plant(name) }
        try gardens.put(garden)
        return try #require(try gardens.get(garden.entityId))
    }

    @Test func `an undo restores the object of a key`() throws {
        let garden = try garden(["a": "1"])
        garden.plants["a"] = Plant("2")
        garden.plants["b"] = Plant("3")
        try gardens.put(garden)
        let replaced = try store.engine.visibleSequence
        let report = try store.undo(.commit(replaced))
        #expect(report.conflicts.isEmpty && report.linkCount == 3)
        #expect(try gardens.get(1)?.names == ["a": "1"])
        try store.engine.proveReplay()
        try store.close()
    }

    @Test func `an undo refuses a key that has another object since, or overwrites it`() throws {
        let garden = try garden(["a": "1"])
        garden.plants["a"] = nil
        try gardens.put(garden)
        let removed = try store.engine.visibleSequence
        garden.plants["a"] = Plant("2")
        try gardens.put(garden)
        expectError(.conflict) { _ = try store.undo(.commit(removed)) }
        #expect(try gardens.get(1)?.names == ["a": "2"])
        #expect(try store.undo(.commit(removed), conflicts: .skip).conflicts.count == 1)
        #expect(try gardens.get(1)?.names == ["a": "2"])
        _ = try store.undo(.commit(removed), conflicts: .overwrite)
        #expect(try gardens.get(1)?.names == ["a": "1"])
        try store.engine.proveReplay()
        try store.close()
    }

    @Test func `a change of a map has its key`() throws {
        let garden = try garden(["a": "1"])
        let before = try store.view()
        garden.plants["b"] = garden.plants["a"]
        garden.plants["a"] = nil
        try gardens.put(garden)
        let changes = try store.view().linkChanges(since: before)
        #expect(changes.map(\.key) == ["a", "b"] && changes.map(\.isLink) == [false, true])
        try store.close()
    }

    @Test func `a past view has the map of its version`() throws {
        let garden = try garden(["a": "1"])
        let sequence = try store.engine.visibleSequence
        garden.plants["a"] = Plant("2")
        try gardens.put(garden)
        let view = try store.view(at: .sequence(sequence))
        #expect(try view.box(for: Garden.self).get(1)?.names == ["a": "1"])
        try store.close()
    }

    // MARK: Without types

    @Test func `untyped rows have the keys of a map`() throws {
        _ = try garden(["b": "1", "a": "2"])
        let rows = try store.rows(of: "Garden")
        let row = try #require(try rows.get(1))
        #expect(row.keys == ["plants": ["a", "b"]])
        let ids = try #require(row.links["plants"])
        #expect(try ids.map { try plants.get($0)?.name } == ["2", "1"])
        let id = try rows.put(
            ["name": "New"], links: ["plants": ids], keys: ["plants": ["x", "y"]])
        #expect(try gardens.get(id)?.names == ["x": "2", "y": "1"])
        let error = expectError(.invalidArgument) {
            try rows.put([:], id: id, links: ["plants": ids])
        }
        #expect(error?.message.contains("key for each") == true)
        let relation = try store.schema["Garden"]?.relation(named: "plants")
        #expect(relation?.kind == .map && relation?.target == "Plant")
        try store.close()
    }

    @Test(arguments: [ExchangeFormat.csv, .jsonLines])
    func `an export of maps is imported with its keys`(_ format: ExchangeFormat) throws {
        _ = try garden(["b": "1", "a, \"2\"": "2"])
        _ = try garden([:])
        let file = directory.url.deletingLastPathComponent().appending(
            path: "gardens-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try store.exportRows("Garden", to: file, format: format)
        try gardens.removeAll()
        try store.importRows(into: "Garden", from: file, format: format)
        #expect(try gardens.get(1)?.names == ["b": "1", "a, \"2\"": "2"])
        #expect(try gardens.get(2)?.names == [:])
        try store.close()
    }
}
