import DaybookBytes
import DaybookRecords
import DaybookQuery

/// Compares embedded values member by member, because the rows of equal values can have different
/// layouts.
enum EmbeddedEquality {
    /// Returns the condition that a term has the members of a value. Throws `.invalidArgument` for
    /// a value with nested embedded values.
    static func condition<Value: Embedded>(
        _ term: PropertyTerm, _ value: Value
    ) throws -> QueryCondition {
        let description = Value.entityDescription
        let nested = description.properties.first { !$0.type.embeddedTypes.isEmpty }
        guard nested == nil else { throw isNested(Value.self, nested?.name ?? "") }
        let path: PropertyPath
        if case .element = term.expression {
            path = PropertyPath([])
        } else {
            path = try term.path(for: "A comparison")
        }
        let layout = RowLayout(
            EntityLayout(
                layoutID: 1, entityID: 1, entityName: description.name, kind: .embedded,
                version: 1,
                fields: description.properties.enumerated().map { index, property in
                    Field(
                        propertyID: UInt32(index + 1), name: property.name,
                        shape: property.type.shape(isOptional: property.isOptional))
                }))
        var writer = RowWriter(layout, .none)
        try value.encode(into: &writer)
        writer.encoder.finish()
        var conditions: [QueryCondition] = [.not(.isNull(term.value))]
        let row = try RowView(writer.encoder.row, layout)
        for (index, property) in description.properties.enumerated() {
            let type = property.type.field
            let stored: QueryValue =
                row.isNull(index)
                ? .null : try StoredValue.value(try row.value(index), type, as: type)
            conditions.append(
                .compare(
                    .property(path.appending(PropertyPath([property.declaredName]))), .equal,
                    .value(stored), []))
        }
        return .and(conditions)
    }

    private static func isNested(
        _ type: any Embedded.Type, _ property: String
    ) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "A \(type) contains embedded values, in '\(property)', so it cannot be compared as a"
                + " whole. Compare its members.",
            details: ["type": "\(type)", "property": property])
    }
}
