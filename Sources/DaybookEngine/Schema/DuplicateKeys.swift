package import DaybookBytes
package import DaybookLog
package import DaybookPages
package import DaybookRecords

/// Objects with the same value in a unique index. A store never has any; a log with lost records
/// can have some, because an older version of an object may be the newest one that is left.
package struct DuplicateKeys {
    /// Objects whose value belongs to an object with a newer version: their ids, with the
    /// transactions of their versions.
    package private(set) var objects: [UInt64: UInt64] = [:]

    /// Reads all objects of an entity, unless the number of entries shows that no value occurs
    /// twice. Cost then: a read of the rows, and memory for the keys. Throws `.corruption`.
    package init(
        of entity: Schema.Entity, in reader: PageReader, _ log: Log, _ schema: Schema
    ) throws(DaybookError) {
        guard let layout = schema.currentLayout(ofEntity: entity.id), layout.kind == .object
        else { return }
        let plan = try IndexPlan(layout)
        let objectCount = try reader.objectCount(entity.id)
        var hasDuplicates = false
        for index in plan.uniqueIndexes where try reader.count(index.tree) != objectCount {
            hasDuplicates = true
        }
        guard hasDuplicates else { return }
        try find(plan, reader, log, schema)
    }

    private mutating func find(
        _ plan: IndexPlan, _ reader: PageReader, _ log: Log, _ schema: Schema
    ) throws(DaybookError) {
        var owners = [[IndexKey: (id: UInt64, sequence: UInt64)]](
            repeating: [:], count: plan.uniqueIndexes.count)
        var keyReader = KeyReader(plan)
        var cursor = try reader.words(IndexTree.objects(of: plan.entity))
        while let found = try cursor.next() {
            let entry = ObjectEntry(found.value)
            guard !entry.isRemoved else { continue }
            let row = try StoredRow(entry, entity: plan.entity, id: found.key, in: log)
            let keys = try keyReader.keys(of: row.bytes, layout: row.layout, in: plan.uniqueIndexes)
            {
                layout throws(DaybookError) in try schema.rowLayout(layout)
            }
            for (place, key) in keys.enumerated() where !key.hasNull {
                let candidate = (id: found.key, sequence: entry.sequence)
                guard let owner = owners[place][key] else {
                    owners[place][key] = candidate
                    continue
                }
                let isNewer = owner.sequence < candidate.sequence
                owners[place][key] = isNewer ? candidate : owner
                let loser = isNewer ? owner : candidate
                objects[loser.id] = loser.sequence
            }
        }
    }
}
