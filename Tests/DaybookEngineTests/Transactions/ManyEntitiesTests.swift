import DaybookBytes
@testable import DaybookEngine
@testable import DaybookRecords
import DaybookPages
import DaybookTestSupport
import Testing

/// The cost of many entities with one index each, as the number of index lookups instead of time.
@Suite struct ManyEntitiesTests {
    private let fileSystem = MemoryFileSystem()

    private func layout(_ number: UInt32) -> EntityLayout {
        EntityLayout(
            layoutID: number, entityID: number, entityName: "E\(number)", version: 1,
            fields: [Field(propertyID: 1, name: "n", type: .int64)],
            indexes: [
                LayoutIndex(
                    indexID: number, kind: .value, isUnique: false, isPrimaryKey: false,
                    propertyIDs: [1])
            ])
    }

    /// Returns the number of examined indexes when the indexes of many entities are added, kept and
    /// dropped.
    private func examinedCount(_ entityCount: UInt32) throws -> Int {
        let space = PageSpace()
        var applied = AppliedState()
        space.begin(sequence: 1)
        defer { _ = space.end() }
        var count = 0
        for _ in 0..<2 {
            for number in 1...entityCount { count += try applied.adopt(layout(number), to: space) }
        }
        #expect(applied.indexes.count == Int(entityCount))
        // Indexes from a snapshot are found by their entity too.
        applied = try AppliedState(resuming: space.working)
        for number in 1...entityCount {
            var layout = layout(number)
            layout.indexes = []
            count += try applied.adopt(layout, to: space)
        }
        #expect(applied.indexes.isEmpty)
        return count
    }

    @Test func `the indexes of an entity are found without examining other entities`() throws {
        #expect(try examinedCount(2_000) == 2_000 * (1 + 2 + 1))
    }

    @Test func `indexes of many small entities are built together`() throws {
        let names = (1...300).map { "E\($0)" }
        func declarations(_ indexes: [IndexDeclaration]) -> [EntityDeclaration] {
            names.map { name in
                EntityDeclaration(
                    name: name, fields: [FieldDeclaration(name: "n", type: .int64)],
                    indexes: indexes)
            }
        }
        var options = EngineOptions()
        options.isMaintenanceAutomatic = false
        let engine = try Engine.open("/many", fileSystem, options: options)
        let layouts = try engine.register(declarations([]))
        try engine.write { transaction in
            for layout in layouts {
                for number in 1...2 {
                    var encoder = RowEncoder(RowLayout(layout))
                    encoder.set(int64: Int64(number), at: 0)
                    encoder.finish()
                    try transaction.changes.put(
                        layout.entityID, 0, layout: layout.layoutID, row: encoder.row)
                }
            }
        }
        let indexed = try engine.register(declarations([IndexDeclaration(columns: ["n"])]))
        var sliceCount = 0
        while try engine.buildIndexSlice(limit: 250) { sliceCount += 1 }
        #expect(sliceCount == 3)
        for layout in indexed {
            let tree = IndexTree.index(layout.indexes[0].indexID)
            #expect(try engine.slot.withPinned { try $0.count(tree) } == 2)
        }
        try engine.proveReplay()
        try engine.close()
    }
}
