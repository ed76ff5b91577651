/// Finds all states of a model, the nearest ones first.
struct ProtocolExplorer {
    /// A state with the way to it.
    private struct Node {
        var state: ProtocolState
        var action: ProtocolAction?
        var previous: Int
    }

    private let model: ProtocolModel
    private var nodes: [Node] = []
    private var visited: Set<ProtocolState> = []
    private var result = Exploration()

    private init(_ model: ProtocolModel) { self.model = model }

    /// Explores the protocol with options up to the first violation.
    static func explore(_ options: ProtocolOptions) async -> Exploration {
        var explorer = ProtocolExplorer(ProtocolModel(options))
        await explorer.run()
        return explorer.result
    }

    private mutating func run() async {
        add(Node(state: model.start, action: nil, previous: 0))
        var index = 0
        while index < nodes.count, result.violation == nil {
            // Other tests wait for answers of servers, and there are few threads.
            if index.isMultiple(of: 128) { await Task.yield() }
            let state = nodes[index].state
            for step in model.successors(of: state) where visited.insert(step.state).inserted {
                add(Node(state: step.state, action: step.action, previous: index))
                if let violation = model.violation(in: step.state, after: state) {
                    result.violation = violation
                    result.counterexample = actions(to: nodes.count - 1)
                    break
                }
            }
            index += 1
        }
        result.stateCount = nodes.count
    }

    /// Adds a new state and counts its properties.
    private mutating func add(_ node: Node) {
        nodes.append(node)
        var isComplete = true
        var hasFailure = false
        for (index, writer) in node.state.writers.enumerated() {
            var isAcknowledged = true
            for fate in writer.fates {
                if fate != .acknowledged { isAcknowledged = false }
                if fate == .notCommitted { hasFailure = true }
            }
            if isAcknowledged { result.acknowledgedCounts[index] += 1 } else { isComplete = false }
        }
        if isComplete { result.completeCount += 1 }
        if hasFailure { result.failedCount += 1 }
        result.lengthMax = max(result.lengthMax, node.state.stream.count)
    }

    private func actions(to last: Int) -> [String] {
        var actions: [String] = []
        var index = last
        while let action = nodes[index].action {
            actions.append(action.description)
            index = nodes[index].previous
        }
        return actions.reversed()
    }
}
