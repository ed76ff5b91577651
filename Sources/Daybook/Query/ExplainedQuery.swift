import DaybookQuery

/// What a query does, for people and for tests; its description has a line for each step. Texts may
/// change from release to release.
public struct ExplainedQuery: Sendable, Hashable, CustomStringConvertible {
    /// One step, with the steps that it is made of.
    public struct Step: Sendable, Hashable {
        /// Such as `index range Person.age`, `scan Person`, `filter`, `sort`.
        public let text: String
        /// The properties of the index that it uses, with commas between; nil for none.
        public let index: String?
        /// How many objects it was expected to give; nil where that was not asked.
        public let estimate: Int?
        /// How many it gave; nil where it was not run.
        public let actual: Int?
        /// The steps that it takes its objects from.
        public let steps: [Step]

        init(_ step: QueryExplanation.Step) {
            text = step.text
            index = step.index
            estimate = step.estimate
            actual = step.actual
            steps = step.steps.map { Step($0) }
        }
    }

    /// The last step, which gives the result.
    public let root: Step
    /// One line for each step, those inside indented.
    public let description: String

    init(_ explanation: QueryExplanation) {
        root = Step(explanation.root)
        description = explanation.description
    }

    /// The properties of all indexes that it uses, in the order of the steps.
    public var indexes: [String] {
        func indexes(_ step: Step) -> [String] {
            (step.index.map { [$0] } ?? []) + step.steps.flatMap(indexes)
        }
        return indexes(root)
    }
}
