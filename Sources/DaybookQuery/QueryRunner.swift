package import DaybookBytes
package import DaybookEngine
import DaybookIndex

/// A query whose names are resolved, to be run over any version of the store.
package struct QueryRunner: Sendable {
    package let entity: UInt32
    package let definition: QueryDefinition
    package let condition: BoundCondition

    /// Throws as ``ConditionResolver``, and `.invalidArgument` for a negative offset or limit.
    package init(
        _ definition: QueryDefinition, of entity: UInt32, in model: QueryModel
    ) throws(DaybookError) {
        self.entity = entity
        self.definition = definition
        condition = try ConditionResolver(model).resolve(definition.condition, of: entity)
    }

    /// The rows that it finds, in its order.
    package func rows(_ access: QueryAccess) throws -> [StoredRow] { fatalError("to be written") }

    /// The ids of what it finds, in its order.
    package func ids(_ access: QueryAccess) throws -> [UInt64] { fatalError("to be written") }

    /// How many it finds, offset and limit included.
    package func count(_ access: QueryAccess) throws -> Int { fatalError("to be written") }

    /// Gives each row to `body`, in its order, until that returns false. Where the order is that of
    /// ids or of an index, one row at a time is held.
    package func forEachRow(
        _ access: QueryAccess, _ body: (StoredRow) throws -> Bool
    ) throws { fatalError("to be written") }

    /// What it does; with `isRun` also what it met.
    package func explain(
        _ access: QueryAccess, isRun: Bool
    ) throws -> QueryExplanation { fatalError("to be written") }
}

/// What a query does, for people and for tests.
package struct QueryExplanation: Sendable, Hashable, CustomStringConvertible {
    /// One step, with the steps that it is made of.
    package struct Step: Sendable, Hashable {
        /// Such as `index range Person.age`, `scan Person`, `intersect`, `filter`, `sort`.
        package var text: String
        /// The properties of the index that it uses, with commas between; nil for none.
        package var index: String?
        /// How many objects it was expected to give.
        package var estimate: Int?
        /// How many it gave, where it was run.
        package var actual: Int?
        package var steps: [Step] = []

        package init(_ text: String) { self.text = text }
    }

    package var root: Step

    package init(_ root: Step) { self.root = root }

    /// One line for each step, those inside indented.
    package var description: String { lines(root, 0).joined(separator: "\n") }

    private func lines(_ step: Step, _ depth: Int) -> [String] {
        var line = String(repeating: "  ", count: depth) + step.text
        if let estimate = step.estimate { line += ", estimated \(estimate)" }
        if let actual = step.actual { line += ", found \(actual)" }
        return [line] + step.steps.flatMap { lines($0, depth + 1) }
    }
}
