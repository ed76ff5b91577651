import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookTestSupport
import Testing

/// A replay of a random history gave other indexes than the store had. A property had become
/// optional, and the index contained the objects older than the property under zero; commits
/// continued to use that tree, while a replay of the log gave null for them. In the other
/// direction, a unique index allowed two objects without a value, and both became zero.
@Suite struct OptionalKeyTests {
    private let fileSystem = MemoryFileSystem()

    private func open() throws -> Engine {
        var options = EngineOptions()
        options.isMaintenanceAutomatic = false
        options.log.preallocationStepBytes = 16 << 10
        return try Engine.open("/things", fileSystem, options: options)
    }

    private func declaration(
        isOptional: Bool, _ indexes: [IndexDeclaration]
    ) -> EntityDeclaration {
        EntityDeclaration(
            name: "Thing",
            fields: [
                FieldDeclaration(name: "name", type: .string),
                FieldDeclaration(name: "number", type: .int16, isOptional: isOptional),
            ],
            indexes: indexes)
    }

    private func row(_ number: Int16?, _ layout: EntityLayout) throws -> [UInt8] {
        var encoder = RowEncoder(RowLayout(layout))
        try encoder.set(text: "thing", at: 0)
        if let number { encoder.set(int16: number, at: 1) }
        encoder.finish()
        return encoder.row.array
    }

    @discardableResult
    private func put(
        _ number: Int16?, id: UInt64 = 0, _ layout: EntityLayout, in engine: Engine
    ) throws -> UInt64 {
        let row = try row(number, layout)
        return try engine.operate {
            try $0.changes.put(
                layout.entityID, id, layout: layout.layoutID, row: row.span
            ).id
        }
    }

    /// Returns the ids of the objects in index order.
    private func ids(_ index: LayoutIndex, in engine: Engine) throws -> [UInt64] {
        var ids: [UInt64] = []
        try engine.slot.withPinned { reader in
            var cursor = try reader.bytes(IndexTree.index(index.indexID))
            _ = try cursor.next(valuesInto: &ids, limit: .max)
        }
        return ids
    }

    @Test func `a property that becomes optional or required gets a new index`() throws {
        let indexes = [
            IndexDeclaration(columns: ["number"]),
            IndexDeclaration(columns: ["name", "number"]),
            IndexDeclaration(columns: ["number"], kind: .hash),
        ]
        let nameless = try open()
        // This layout is older than the property.
        let old = try nameless.register([
            EntityDeclaration(
                name: "Thing", fields: [FieldDeclaration(name: "name", type: .string)])
        ])[0]
        var encoder = RowEncoder(RowLayout(old))
        try encoder.set(text: "thing", at: 0)
        encoder.finish()
        let oldRow = encoder.row.array
        try nameless.operate {
            try $0.changes.put(
                old.entityID, 0, layout: old.layoutID, row: oldRow.span)
        }
        try nameless.close()
        var numbers: Set<UInt32> = []
        for (round, isOptional) in [false, true, true, false, true, false].enumerated() {
            let engine = try open()
            let layout = try engine.register([declaration(isOptional: isOptional, indexes)])[0]
            let isSame = round == 2
            for index in layout.indexes {
                #expect(numbers.insert(index.indexID).inserted == !isSame)
            }
            if round % 2 == 0 {
                while try engine.buildIndexSlice() {}
            }
            try put(-5, id: round == 0 ? 0 : 2, layout, in: engine)
            try put(5, id: round == 0 ? 0 : 3, layout, in: engine)
            // While the index is half built, the commits above change objects that it does not
            // contain yet.
            while try engine.buildIndexSlice() {}
            for index in layout.indexes where index.kind == .value {
                #expect(try ids(index, in: engine) == (isOptional ? [1, 2, 3] : [2, 1, 3]))
            }
            try engine.proveReplay()
            if round % 3 == 1 { try engine.writeSnapshot() }
            try engine.close()
        }
        #expect(numbers.count == 3 * 5)
    }

    @Test func `two objects without a unique value cannot both get zero`() throws {
        let unique = [IndexDeclaration(columns: ["number"], isUnique: true)]
        let engine = try open()
        var layout = try engine.register([declaration(isOptional: true, unique)])[0]
        for number in [nil, nil, 7] as [Int16?] { try put(number, layout, in: engine) }
        let sequence = try engine.visibleSequence
        do {
            _ = try engine.register([declaration(isOptional: false, unique)])
            Issue.record("both are zero")
        } catch let error as DaybookError {
            #expect(error.code == .uniqueViolation)
            #expect(error.details["property"] == "number")
        }
        #expect(try engine.visibleSequence == sequence)
        #expect(try engine.register([declaration(isOptional: true, unique)]) == [layout])

        // A migration that gives one of them a value resolves the conflict.
        var registration = Registration([declaration(isOptional: false, unique)])
        registration.migrations = [
            EntityMigration("Thing", .transform(version: nil)) { object in
                guard object.id == 2 else { return }
                var encoder = RowEncoder(object.new)
                try encoder.set(text: "thing", at: 0)
                encoder.set(int16: 9, at: 1)
                encoder.finish()
                object.newRow = encoder.row.array
                object.changed = ["number"]
            }
        ]
        layout = try engine.register(registration)[0]
        #expect(try find(0, layout, in: engine) == 1)
        #expect(try find(9, layout, in: engine) == 2)
        expectError(.uniqueViolation) { try put(0, layout, in: engine) }
        try engine.proveReplay()

        // Optional again: the first object has no value, and zero is free.
        layout = try engine.register([declaration(isOptional: true, unique)])[0]
        #expect(try find(0, layout, in: engine) == nil)
        #expect(try put(0, layout, in: engine) == 4)
        #expect(try find(0, layout, in: engine) == 4)
        try engine.proveReplay()
        try engine.close()
    }

    private func find(_ number: Int16, _ layout: EntityLayout, in engine: Engine) throws -> UInt64?
    {
        let row = try row(number, layout)
        return try engine.find(
            layout.entityID, index: layout.indexes[0].indexID,
            try IndexKey([1], of: row.span, RowLayout(layout)))
    }
}
