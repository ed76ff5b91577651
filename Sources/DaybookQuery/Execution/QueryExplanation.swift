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

    /// The properties of the indexes that are used, in the order of the lines.
    package var indexes: [String] { indexes(root) }

    private func lines(_ step: Step, _ depth: Int) -> [String] {
        var line = String(repeating: "  ", count: depth) + step.text
        if let estimate = step.estimate { line += ", estimated \(estimate)" }
        if let actual = step.actual { line += ", found \(actual)" }
        return [line] + step.steps.flatMap { lines($0, depth + 1) }
    }

    private func indexes(_ step: Step) -> [String] {
        (step.index.map { [$0] } ?? []) + step.steps.flatMap { indexes($0) }
    }
}
