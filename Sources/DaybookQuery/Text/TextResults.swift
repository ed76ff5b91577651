package import DaybookEngine
package import DaybookRecords

/// The result rows of a text query: one per object, one per group, or one row of totals.
package struct TextResults {
    /// A column of the result.
    package struct Column: Sendable, Hashable {
        package var name: String
        /// The type of the values; nil if a computed value has no stored type.
        package var type: FieldType?
    }

    package let columns: [Column]
    private let source: Source

    private enum Source {
        case objects([BoundExpression])
        case totals([TextQuery.Total])
        case groups(QueryGroups, [GroupTerm])
    }

    private let runner: QueryRunner
    private let access: QueryAccess

    /// Throws the errors of ``ConditionResolver``.
    package init(
        _ query: TextQuery, _ model: QueryModel, _ runner: QueryRunner, _ access: QueryAccess
    ) throws {
        self.runner = runner
        self.access = access
        func objects(_ columns: [TextQuery.Column]) throws -> ([Column], Source) {
            let resolver = ConditionResolver(model)
            let bound = try columns.map { try resolver.resolve($0.expression, of: query.entity) }
            return (columns.map { Column(name: $0.name, type: $0.type) }, .objects(bound))
        }
        switch query.output {
        case .objects:
            (columns, source) = try objects(ObjectColumns.of(query.entity, in: model))
        case .columns(let selected): (columns, source) = try objects(selected)
        case .totals(let totals):
            columns = totals.map { Column(name: $0.name, type: $0.type) }
            source = .totals(totals)
        case .groups(let groups):
            columns = groups.columns.map { Column(name: $0.name, type: $0.type) }
            source = .groups(
                try QueryGroups(runner, groups.definition), groups.columns.map(\.term))
        }
    }

    /// Calls `body` with the values of each row until it returns false. Holds at most a few hundred
    /// rows; groups are held as a whole.
    package func forEach(_ body: ([QueryValue]) throws -> Bool) throws {
        switch source {
        case .objects(let expressions):
            let readers = expressions.map { ExpressionReader($0, access) }
            try runner.forEachRow(access) { row in
                try access.checkCancellation()
                var values: [QueryValue] = []
                for reader in readers {
                    values.append(
                        try reader.value(in: row.bytes, layout: row.layout, id: row.id))
                }
                return try body(values)
            }
        case .totals(let totals): _ = try body(try totals.map { try total($0.value) })
        case .groups(let groups, let terms):
            for group in try groups.groups(access) {
                try access.checkCancellation()
                if try !body(terms.map(group.value)) { return }
            }
        }
    }

    private func total(_ value: GroupDefinition.Value) throws -> QueryValue {
        guard let expression = value.expression else {
            return .integer(Int128(try runner.count(access)))
        }
        let values = try QueryAggregates(runner, of: expression)
        switch value.aggregate {
        case .count: return .integer(Int128(try values.count(access)))
        case .sum: return try values.sum(access)
        case .minimum: return try values.minimum(access)
        case .maximum: return try values.maximum(access)
        case .average: return try values.average(access).map { .number($0) } ?? .null
        }
    }
}
