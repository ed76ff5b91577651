import DaybookRecords

/// The indexes that a version of the past has: those of the newest layouts, for these are what
/// queries ask. Every index can be made of rows that are read by the newest layout. But that no two
/// objects agree is true only since somebody asked for it: a unique index that is younger than the
/// version is left out.
struct PastIndexes {
    /// Knows all layouts, the rows' among them.
    let schema: Schema
    /// The newest layouts of the entities that have indexes, with those that may be asked.
    let layouts: [EntityLayout]

    /// - Parameter later: the layouts that were not there yet.
    init(_ schema: Schema, without later: Set<UInt32>) {
        self.schema = schema
        layouts = schema.entities.compactMap { entity in
            guard var layout = schema.currentLayout(ofEntity: entity.id) else { return nil }
            let past = schema.layouts(ofEntity: entity.id).first {
                !later.contains($0.layoutID)
            }
            let known = Set((past?.indexes ?? []).map(\.indexID))
            layout.indexes = layout.indexes.filter { index in
                !(index.isUnique || index.isPrimaryKey) || known.contains(index.indexID)
            }
            return layout.indexes.isEmpty ? nil : layout
        }
    }
}
