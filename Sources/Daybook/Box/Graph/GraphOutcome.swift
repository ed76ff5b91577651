/// The result of a put of a graph.
struct GraphOutcome: Sendable {
    /// The id of each object.
    var ids: [Id] = []
    /// The positions in the list of each edit; empty for other edits.
    var positions: [[[UInt8]]] = []
    /// The objects that other objects of the graph relate to.
    var linked: Set<Int> = []
    /// The objects that were not put: ``UniqueConflict/ignore`` applied to them, or only such
    /// objects relate to them.
    var ignored: Set<Int> = []

    /// Whether an object has links that its own relations do not contain.
    func isLinked(_ end: EncodedGraph.End) -> Bool {
        if case .node(let index) = end { linked.contains(index) } else { false }
    }

    func id(of end: EncodedGraph.End) -> Id {
        switch end {
        case .node(let index): ids[index]
        case .id(let id): id
        }
    }
}
