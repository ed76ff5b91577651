import DaybookBytes
import DaybookEngine
import DaybookRecords

/// The meaning of the columns of an import.
struct ImportPlan {
    /// The meaning of one column.
    enum Target {
        case id
        case property(Field)
        /// The targets of a relation, by id or by a unique property.
        case link(Schema.Relation, by: Key?)
        case ignored

        /// The name of the property or relation; nil if the column is ignored.
        var name: String? {
            switch self {
            case .id: "id"
            case .property(let field): field.name
            case .link(let relation, _): relation.name
            case .ignored: nil
            }
        }
    }

    /// A unique property of the targets of a relation.
    struct Key {
        let put: RowPut
        let index: IndexPlan.Index
        let field: Field
    }

    let form: RowForm
    private let columns: [String: String]
    private let schemas: SchemaTable

    /// Throws `.invalidArgument` if a column is mapped to an unknown property.
    init(
        _ form: RowForm, _ columns: [String: String], _ schemas: SchemaTable
    ) throws(DaybookError) {
        self.form = form
        self.columns = columns
        self.schemas = schemas
        for column in columns.keys.sorted() { _ = try target(of: column) }
    }

    /// The meaning of a column. Throws `.invalidArgument` for an unknown name.
    func target(of column: String) throws(DaybookError) -> Target {
        let name = columns[column] ?? column
        if columns[column]?.isEmpty == true { return .ignored }
        if let (_, field) = form.property(name) { return .property(field) }
        if name == "id" { return .id }
        if let (_, relation) = form.relations.first(where: { $0.name == name }) {
            return .link(relation, by: nil)
        }
        if let dot = name.lastIndex(of: "."),
            let (_, relation) = form.relations.first(where: { $0.name == name[..<dot] })
        {
            return .link(relation, by: try key(String(name[name.index(after: dot)...]), relation))
        }
        throw unknown(column, name)
    }

    /// The targets of the columns of a CSV text. Throws `.invalidArgument` for unknown and repeated
    /// columns, and for mapped columns that the text does not have.
    func targets(of header: [String]) throws(DaybookError) -> [Target] {
        var targets: [Target] = []
        var seen: Set<String> = []
        for column in header {
            let target = try target(of: column)
            if let name = target.name, !seen.insert(name).inserted { throw repeated(name) }
            targets.append(target)
        }
        for column in columns.keys.sorted() where !header.contains(column) {
            throw DaybookError(
                .invalidArgument,
                "The text has no column '\(column.prefix(100))', which is mapped to a property."
                    + NearName.question(column, among: header),
                details: ["column": column])
        }
        return targets
    }

    func repeated(_ name: String) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "Two columns contain '\(name.prefix(100))'. Remove one, or map it to nothing.",
            details: ["column": name])
    }

    private func key(
        _ property: String, _ relation: Schema.Relation
    ) throws(DaybookError) -> Key {
        let target = schemas.schema.entity(relation.targetEntityID)?.name ?? ""
        let form = try RowForm(target, schemas)
        let plan = try IndexPlan(form.layout.layout)
        guard let (place, field) = form.property(property),
            let index = plan.uniqueIndexes.first(where: { $0.columns == [place] })
        else {
            throw DaybookError(
                .invalidArgument,
                "'\(relation.name).\(property)' must be a unique property of \(target), which the"
                    + " targets of '\(relation.name)' are. Use a unique property, or ids.",
                details: ["entity": target, "property": property])
        }
        return Key(put: try RowPut(form), index: index, field: field)
    }

    private func unknown(_ column: String, _ name: String) -> DaybookError {
        let names = form.names + form.relations.map(\.name)
        return DaybookError(
            .invalidArgument,
            "\(form.entityName) has no property '\(name.prefix(100))'."
                + NearName.question(name, among: names)
                + " Map the column to a property, or to nothing to ignore it.",
            details: ["entity": form.entityName, "column": String(column.prefix(100))])
    }
}
