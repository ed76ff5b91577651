/// The steps of a query, for people and for tests. The description has one line for each step. Its
/// wording may change between releases.
public struct ExplainedQuery: Sendable, Hashable, CustomStringConvertible {
    /// One step and its inputs.
    public struct Step: Sendable, Hashable {
        /// Such as `index range Person.age`, `scan Person`, `intersect`, `filter`, `sort`.
        public package(set) var text: String
        /// The properties of the index that the step reads, separated by commas; nil for none.
        public package(set) var index: String?
        /// The entity whose objects the step reads one after another, without an index; nil for
        /// none.
        public package(set) var scannedEntity: String?
        /// The estimated number of objects; nil if the planner made no estimate.
        public package(set) var estimate: Int?
        /// The actual number of objects; nil if the step was not run.
        public package(set) var actual: Int?
        /// The steps that produce the input of this one.
        public package(set) var steps: [Step] = []

        package init(_ text: String) { self.text = text }
    }

    /// The last step, which produces the result.
    public let root: Step

    package init(_ root: Step) { self.root = root }

    /// One line for each step; inputs are indented.
    public var description: String { lines(root, 0).joined(separator: "\n") }

    /// The properties of all indexes that the query reads, in the order of the steps.
    public var indexes: [String] { indexes(root) }

    /// The entities whose objects the query reads one after another, without an index, in the order
    /// of the steps. A scan of an index, or of a range of ids, is not among them.
    public var scannedEntities: [String] { scannedEntities(root) }

    private func scannedEntities(_ step: Step) -> [String] {
        (step.scannedEntity.map { [$0] } ?? []) + step.steps.flatMap { scannedEntities($0) }
    }

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
