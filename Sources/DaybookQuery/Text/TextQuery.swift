package import DaybookBytes
package import DaybookIndex

/// A query that somebody wrote as text: of which entity, what is looked for, and what is to be
/// shown of it.
package struct TextQuery: Sendable, Hashable {
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

    /// What is shown.
    package enum Output: Sendable, Hashable {
        /// The objects, whole.
        case objects
        /// Some values of each.
        case columns([Column])
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
