import DaybookRecords

/// The indexes of a past version: those of the newest layouts, because queries use these. Every
/// index can be built from past rows, because the newest layout can read them. But the uniqueness
/// of values is guaranteed only since the index exists. So a unique index that did not exist at
/// that version is omitted.
struct PastIndexes {
    /// A schema with all layouts, including those of the rows.
    let schema: Schema
    /// The newest layouts of the entities that have indexes, with the usable indexes.
    let layouts: [EntityLayout]

    /// - Parameter later: the layouts that did not exist yet.
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
