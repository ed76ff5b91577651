import Daybook

extension BrowsedStore {
    /// The most objects in one answer.
    static let rowsMax = 500
    /// The most values in one answer.
    private static let valuesMax = 50_000
    /// The most linked objects of a relation in one answer.
    static let linksMax = 100

    /// A page of the objects of an entity with ids above `after`.
    func objects(
        of entityName: String, after: UInt64, limit: Int, at sequence: UInt64?
    ) throws -> ObjectPage {
        let rows = try view(at: sequence).rows(of: entityName)
        let columns = try columns(of: entityName)
        let limit = Self.rowsMax(limit, columnCount: columns.names.count)
        var lines: [ObjectLine] = []
        var last = after
        // Few whole objects are in memory at a time.
        while lines.count < limit {
            let part = try rows.page(after: last, limit: min(20, limit - lines.count))
            lines += part.map { ObjectLine($0, columns.relations) }
            guard let id = part.last?.id else { break }
            last = id
        }
        return ObjectPage(
            columns: columns.names, rows: lines,
            next: lines.count == limit ? String(last) : nil,
            count: UInt64(try rows.count()))
    }

    /// The number of rows in one answer: fewer of an entity with thousands of properties.
    static func rowsMax(_ limit: Int, columnCount: Int) -> Int {
        max(1, min(limit, rowsMax, valuesMax / max(1, columnCount)))
    }

    /// The columns of a table of objects: the properties, then the relations.
    private func columns(
        of entityName: String
    ) throws -> (names: [String], relations: [StoreSchema.Relation]) {
        guard let entity = try store.schema[entityName] else {
            throw RequestProblem.notFound("The store has no entity '\(entityName)'.")
        }
        return (
            entity.properties.map(\.name) + entity.relations.map(\.name), entity.relations
        )
    }

    /// The first rows of the result of a query.
    func query(_ text: String, limit: Int, at sequence: UInt64?) throws -> QueryResult {
        let view = try view(at: sequence)
        let query = try limited(text, to: min(limit, Self.rowsMax) + 1, in: view)
        let columns = try columns(of: query.entityName)
        let limit = Self.rowsMax(limit, columnCount: columns.names.count)
        var lines: [ObjectLine] = []
        var areObjects = true
        var names: [String] = []
        do {
            try query.forEach { row in
                if lines.isEmpty { (areObjects, names) = (row.id > 0, row.names) }
                lines.append(ObjectLine(row, areObjects ? columns.relations : []))
                if lines.count > limit { throw EnoughRows() }
            }
        } catch is EnoughRows {}
        return QueryResult(
            entity: query.entityName, areObjects: areObjects,
            columns: areObjects ? columns.names : names, rows: Array(lines.prefix(limit)),
            hasMore: lines.count > limit)
    }

    /// The query with a limit, so that an order keeps only the first rows. A query that has a limit
    /// of its own, or that cannot be parsed, is returned or fails as it is.
    private func limited(_ text: String, to count: Int, in view: StoreView) throws -> RowQuery {
        if let query = try? view.query("\(text) limit \(count)") { return query }
        return try view.query(text)
    }

    /// The plan of a query, with the numbers of objects that each step finds.
    func plan(_ text: String, at sequence: UInt64?) throws -> PlanStep {
        PlanStep(try view(at: sequence).query(text).explain(isRun: true).root)
    }

    /// An object with its links.
    func object(
        of entityName: String, id: UInt64, at sequence: UInt64?
    ) throws -> ObjectDescription {
        let rows = try view(at: sequence).rows(of: entityName)
        guard let row = try rows.get(id) else {
            throw RequestProblem.notFound(
                "\(entityName) \(id) does not exist at this moment. Its history tells since when.")
        }
        let relations = try columns(of: entityName).relations
        let bytesMax = ShownValue.bytesMax(ShownValue.objectBytesMax, count: row.values.count)
        return ObjectDescription(
            entity: row.entityName, id: String(row.id), sequence: row.sequence,
            properties: zip(row.names, row.values).map { name, value in
                NamedValue(name: name, value: ShownValue(value, bytesMax: bytesMax))
            },
            relations: relations.map { relation in
                let ids = row.links[relation.name] ?? []
                return LinkedObjects(
                    name: relation.name, entity: relation.target,
                    ids: ids.prefix(Self.linksMax).map(String.init),
                    keys: Array((row.keys[relation.name] ?? []).prefix(Self.linksMax)),
                    count: ids.count)
            },
            backlinks: try rows.backlinks(of: id, limit: Self.linksMax + 1).map { found in
                LinkedObjects(
                    name: found.backlink.relation, entity: found.backlink.entity,
                    ids: found.ids.prefix(Self.linksMax).map(String.init), keys: [],
                    count: found.ids.count > Self.linksMax ? nil : found.ids.count)
            })
    }

    /// The whole value of a property.
    func value(
        of property: String, _ entityName: String, id: UInt64, at sequence: UInt64?
    ) throws -> RowValue {
        guard let value = try view(at: sequence).rows(of: entityName).get(id)?[property] else {
            throw RequestProblem.notFound("\(entityName) \(id) has no value '\(property)'.")
        }
        return value
    }
}

/// Ends the iteration over the rows of a query.
private struct EnoughRows: Error {}

extension ObjectLine {
    /// A row of a table. A relation with one target has it as `Entity:id`; other relations have the
    /// number of their targets.
    init(_ row: AnyRow, _ relations: [StoreSchema.Relation]) {
        id = row.id > 0 ? String(row.id) : nil
        values = row.values.map { ShownValue($0, bytesMax: ShownValue.tableBytesMax) }
        for relation in relations {
            let ids = row.links[relation.name] ?? []
            guard relation.kind == .toOne else {
                values.append(
                    ShownValue(.integer(Int128(ids.count)), bytesMax: ShownValue.tableBytesMax))
                continue
            }
            values.append(
                ids.first.map {
                    ShownValue(kind: "link", text: "\(relation.target):\($0)")
                } ?? ShownValue(.null, bytesMax: 0))
        }
    }
}

extension PlanStep {
    init(_ step: ExplainedQuery.Step) {
        self.init(
            text: step.text, index: step.index, estimate: step.estimate, found: step.actual,
            steps: step.steps.map { PlanStep($0) })
    }
}
