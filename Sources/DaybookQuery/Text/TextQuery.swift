package import DaybookBytes
package import DaybookRecords

/// A query that somebody wrote as text: of which entity, what is looked for, and what is to be
/// shown of it.
package struct TextQuery: Sendable, Hashable {
    /// The type of a value, for those who stand on queries alone.
    package typealias ValueType = FieldType

    /// A value that is shown of each object.
    package struct Column: Sendable, Hashable {
        /// As it was written, or what stands behind `as`.
        package var name: String
        package var expression: QueryExpression
        /// The type of the value.
        package var type: FieldType?

        package init(name: String, expression: QueryExpression, type: FieldType?) {
            self.name = name
            self.expression = expression
            self.type = type
        }
    }

    /// What all objects that are found come to.
    package struct Total: Sendable, Hashable {
        package var name: String
        package var value: GroupDefinition.Value
        package var type: FieldType?

        package init(name: String, value: GroupDefinition.Value, type: FieldType?) {
            self.name = name
            self.value = value
            self.type = type
        }
    }

    /// The groups that they are put in.
    package struct Groups: Sendable, Hashable {
        /// A value that is shown of each group.
        package struct Column: Sendable, Hashable {
            package var name: String
            package var term: GroupTerm
            package var type: FieldType?
        }

        package var definition: GroupDefinition
        package var columns: [Column] = []
        /// The types of the keys and of the values.
        var keyTypes: [FieldType?]
        var valueTypes: [FieldType?] = []
        /// The keys as they were written.
        var keyNames: [String] = []
    }

    /// What is shown.
    package enum Output: Sendable, Hashable {
        /// The objects, whole.
        case objects
        /// Some values of each.
        case columns([Column])
        /// One line for all.
        case totals([Total])
        /// One line a group; order, offset and limit are those of the groups.
        case groups(Groups)
    }

    package var entityName: String
    /// The number in the store.
    package var entity: UInt32
    package var definition: QueryDefinition
    package var output: Output

    package init(
        entityName: String, entity: UInt32, definition: QueryDefinition = QueryDefinition(),
        output: Output = .objects
    ) {
        self.entityName = entityName
        self.entity = entity
        self.definition = definition
        self.output = output
    }

    /// Reads a query, such as `Package where size > 1000000 order by size desc limit 10`. The
    /// grammar stands at ``QueryTextParser``.
    ///
    /// Throws `.invalidArgument` for what is no query, for names that the model does not have, and
    /// for literals that do not fit; the message says what was expected, and shows the line with a
    /// mark under the place, which `details` has as `line`, `column` and `offset` (in Unicode
    /// scalars, from 1, 1 and 0). Cost: linear in the text, of which 64 KiB are taken.
    package static func parse(
        _ text: String, in model: QueryModel
    ) throws(DaybookError) -> TextQuery {
        var parser = try QueryTextParser(text, model)
        return try parser.query()
    }
}
