import DaybookBytes
import DaybookRecords

/// Reads the keys of an entity's rows of any layout. For a row of an older layout, it translates
/// the indexed columns first.
struct KeyReader {
    let plan: IndexPlan
    /// The unique indexes that determine the owner of a key, the primary key first. Does not
    /// contain an index that a running transaction adds: that index is checked when the transaction
    /// ends.
    let uniqueIndexes: [IndexPlan.Index]
    /// Objects that some of the indexes lack because their rows cannot be read.
    let unread: Set<UInt64>
    /// Objects of ``unread`` that a transaction could read after all, with their keys in all
    /// indexes.
    var lateKeys: [UInt64: [IndexKey]] = [:]
    private var translations: [UInt32: RowTranslation] = [:]
    /// A layout of only the indexed columns, into which older rows are translated. Created on first
    /// use.
    private var columns: (layout: RowLayout, places: [Int: Int])?

    init(
        _ plan: IndexPlan, unread: Set<UInt64> = [],
        isKept: (IndexPlan.Index) -> Bool = { _ in true }
    ) {
        self.plan = plan
        self.unread = unread
        uniqueIndexes = plan.uniqueIndexes.filter(isKept)
    }

    /// The index of the primary key, if the entity has one.
    var primaryKey: IndexPlan.Index? {
        uniqueIndexes.first.flatMap { $0.isPrimaryKey ? $0 : nil }
    }

    /// Returns the keys of a row in `indexes`. Throws `.corruption` if the bytes are no valid row
    /// of the layout, and the errors of `layouts`.
    mutating func keys(
        of row: Span<UInt8>, layout: UInt32, in indexes: [IndexPlan.Index], _ layouts: LayoutLookUp
    ) throws(DaybookError) -> [IndexKey] {
        guard layout != plan.layout.layout.layoutID else { return try keys(of: row, in: indexes) }
        let (columns, places) = indexedColumns()
        let translation: RowTranslation
        if let known = translations[layout] {
            translation = known
        } else {
            translation = RowTranslation(from: try layouts(layout), to: columns)
            translations[layout] = translation
        }
        let row = try translation.translate(row)
        var keys: [IndexKey] = []
        keys.reserveCapacity(indexes.count)
        for index in indexes {
            keys.append(
                try IndexKey(
                    index.form, index.columns.compactMap { places[$0] }, of: row.span, columns))
        }
        return keys
    }

    private mutating func indexedColumns() -> (layout: RowLayout, places: [Int: Int]) {
        if let columns { return columns }
        let indexed = Set(plan.indexes.flatMap(\.columns)).sorted()
        var layout = plan.layout.layout
        layout.fields = indexed.map { layout.fields[$0] }
        let places = indexed.enumerated().map { ($1, $0) }
        let made = (RowLayout(layout), Dictionary(uniqueKeysWithValues: places))
        columns = made
        return made
    }

    private func keys(
        of row: Span<UInt8>, in indexes: [IndexPlan.Index]
    ) throws(DaybookError) -> [IndexKey] {
        var keys: [IndexKey] = []
        keys.reserveCapacity(indexes.count)
        for index in indexes {
            keys.append(try IndexKey(index.form, index.columns, of: row, plan.layout))
        }
        return keys
    }
}

extension KeyChanges {
    /// Replaces the keys `old` of an object with the keys `new`; nil if there is no row.
    mutating func replace(
        _ old: [IndexKey]?, by new: [IndexKey]?, in indexes: [IndexPlan.Index], id: UInt64
    ) {
        for place in indexes.indices {
            replace(old?[place], by: new?[place], in: indexes[place], id: id)
        }
    }
}
