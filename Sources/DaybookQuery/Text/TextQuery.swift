package import DaybookBytes
package import DaybookRecords

/// A parsed query: the entity, the query definition and the output.
package struct TextQuery: Sendable, Hashable {
    /// The type of a value, for modules that import only this one.
    package typealias ValueType = FieldType

    /// A value that is output for each object.
    package struct Column: Sendable, Hashable {
        /// The source text, or the name after `as`.
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

    /// An aggregate over all objects found.
    package struct Total: Sendable, Hashable {
        package var name: String
        package var value: GroupDefinition.Value
        package var type: FieldType?
    }

    /// The grouping of the objects.
    package struct Groups: Sendable, Hashable {
        /// A value that is output for each group.
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
        /// The source texts of the keys.
        var keyNames: [String] = []
    }

    /// The output of the query.
    package enum Output: Sendable, Hashable {
        /// Whole objects.
        case objects
        /// Some values of each object.
        case columns([Column])
        /// One line for all objects.
        case totals([Total])
        /// One line for each group. Order, offset and limit apply to the groups.
        case groups(Groups)
    }

    package var entityName: String
    /// The id of the entity in the store.
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

    /// Parses a query, such as `Package where size > 1000000 order by size desc limit 10`. The
    /// grammar is at ``QueryTextParser``.
    ///
    /// Throws `.invalidArgument` for syntax errors, for unknown names, and for literals that do not
    /// fit. The message states the expected syntax, and shows the line with a marker under the
    /// place. `details` contains the place as `line`, `column` and `offset` (in Unicode scalars,
    /// from 1, 1 and 0). Cost: linear in the length, which is at most 64 KiB.
    ///
    /// `arguments` are the literals for the question marks of the query, in their order.
    package static func parse(
        _ text: String, arguments: [QueryValue] = [], in model: QueryModel
    ) throws(DaybookError) -> TextQuery {
        var parser = try QueryTextParser(text, model, arguments)
        return try parser.query()
    }
}
