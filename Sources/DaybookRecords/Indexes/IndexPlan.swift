package import DaybookBytes
package import DaybookPages

/// The indexes of an entity's newest layout, prepared for use.
package struct IndexPlan: Sendable {
    /// One index.
    package struct Index: Sendable {
        /// The form of the entries.
        package enum Form: Sendable, Hashable {
            /// Key → id. A key with a null also contains the id, because it equals no other key.
            case unique
            /// Key and id → id.
            case ordered
            /// The hash of the key, and the id.
            case hashed
            /// Like ``ordered``, with case-folded texts.
            case folded
            /// Each word of the text, 00, and the id → id. Looked up with ``IndexProbe``.
            case text
            /// A graph of vectors; see ``VectorGraph``.
            case vector(VectorForm)

            init(_ index: LayoutIndex) {
                // A unique index needs the whole key, whatever kind was declared.
                guard !index.isUnique, !index.isPrimaryKey else {
                    self = .unique
                    return
                }
                self =
                    switch index.kind {
                    case .value: .ordered
                    case .hash: .hashed
                    case .text: .text
                    case .folded: .folded
                    // An index without a form is refused by ``IndexPlan/init(_:)``.
                    case .vector: index.vectors.map { .vector($0) } ?? .ordered
                    }
            }
        }

        package let definition: LayoutIndex
        package let form: Form
        /// The indexes of the fields in the newest layout.
        package let columns: [Int]

        package var indexID: UInt32 { definition.indexID }
        package var tree: TreeID { IndexTree.index(definition.indexID) }
        package var isPrimaryKey: Bool { definition.isPrimaryKey }
    }

    package let entity: UInt32
    /// The newest layout, which defines the keys.
    package let layout: RowLayout
    package let indexes: [Index]
    /// The unique indexes, the primary key first.
    package let uniqueIndexes: [Index]

    /// Throws `.schemaMismatch` for an index over a property without an order, and for an index
    /// kind that does not fit its properties.
    package init(_ layout: EntityLayout) throws(DaybookError) {
        entity = layout.entityID
        self.layout = RowLayout(layout)
        var indexes: [Index] = []
        for definition in layout.indexes {
            var columns: [Int] = []
            for propertyID in definition.propertyIDs {
                guard let place = layout.fields.firstIndex(where: { $0.propertyID == propertyID })
                else { throw Self.unknownProperty(propertyID, layout) }
                guard definition.kind == .vector || layout.fields[place].type.isIndexable else {
                    throw Self.notIndexable(layout.fields[place], layout)
                }
                columns.append(place)
            }
            try Self.check(definition, columns.map { layout.fields[$0] }, layout)
            indexes.append(
                Index(definition: definition, form: Index.Form(definition), columns: columns))
        }
        self.indexes = indexes
        let unique = indexes.filter { $0.form == .unique }
        uniqueIndexes = unique.filter(\.isPrimaryKey) + unique.filter { !$0.isPrimaryKey }
    }

    /// The names of an index's properties, for messages.
    package func columnNames(_ index: Index) -> String {
        index.columns.map { layout.layout.fields[$0].name }.joined(separator: ", ")
    }

    private static func unknownProperty(
        _ propertyID: UInt32, _ layout: EntityLayout
    ) -> DaybookError {
        DaybookError(
            .corruption,
            "An index of the entity \(layout.entityName) covers property \(propertyID), which its"
                + " layout does not have. Restore the store from a backup.",
            details: ["entity": layout.entityName])
    }

    /// Throws if a text or case-insensitive index covers properties without text, or is unique.
    private static func check(
        _ index: LayoutIndex, _ fields: [Field], _ layout: EntityLayout
    ) throws(DaybookError) {
        if index.kind == .vector { return try checkVectors(index, fields, layout) }
        guard index.kind.isOfFoldedTexts else { return }
        let isText = index.kind == .text
        let what = isText ? "a text index" : "a case-insensitive index"
        guard !index.isUnique, !index.isPrimaryKey else {
            throw unsuitable(
                fields, layout,
                "is unique or the primary key, which \(what) cannot be. Declare two separate"
                    + " indexes")
        }
        if isText, fields.count != 1 || fields[0].type != .string {
            throw unsuitable(
                fields, layout,
                "is a text index, which covers exactly one String property. Index one property, or"
                    + " use another kind")
        }
        if !isText, !fields.contains(where: { $0.type == .string }) {
            throw unsuitable(
                fields, layout,
                "is case-insensitive and covers no String property. Use an index by value")
        }
    }

    private static func checkVectors(
        _ index: LayoutIndex, _ fields: [Field], _ layout: EntityLayout
    ) throws(DaybookError) {
        guard let form = index.vectors, !index.isUnique, !index.isPrimaryKey else {
            throw unsuitable(fields, layout, "is unique, which a vector index cannot be")
        }
        guard fields.count == 1, fields[0].type == .list, fields[0].shape.element?.type == .float
        else {
            throw unsuitable(
                fields, layout,
                "is a vector index, which covers exactly one [Float] property. Change the type of"
                    + " the property, or remove the index")
        }
        if let problem = form.problem {
            throw unsuitable(fields, layout, "\(problem). Use allowed numbers")
        }
    }

    private static func unsuitable(
        _ fields: [Field], _ layout: EntityLayout, _ what: String
    ) -> DaybookError {
        let names = fields.map(\.name).joined(separator: ", ")
        return DaybookError(
            .schemaMismatch, "The index over \(names) of the entity \(layout.entityName) \(what).",
            details: ["entity": layout.entityName, "property": names])
    }

    private static func notIndexable(_ field: Field, _ layout: EntityLayout) -> DaybookError {
        DaybookError(
            .schemaMismatch,
            "The property \(field.name) of the entity \(layout.entityName) is a"
                + " \(field.shape.description), which cannot be indexed. Index a number, a date, a"
                + " string, an identifier or bytes.",
            details: [
                "entity": layout.entityName, "property": field.name,
                "declared": field.shape.description,
            ])
    }
}
