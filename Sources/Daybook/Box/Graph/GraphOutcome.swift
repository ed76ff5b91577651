/// The result of a put of a graph.
struct GraphOutcome: Sendable {
    /// The id of each object.
    var ids: [Id] = []
    /// The positions in the list of each edit; empty for other edits.
    var positions: [[[UInt8]]] = []
    /// The objects that were not put: ``UniqueConflict/ignore`` applied to them, or only such
    /// objects relate to them.
    var ignored: Set<Int> = []
    /// The counts of the objects that the caller puts directly, if they were requested.
    var counts = PutCounts()

    func id(of end: EncodedGraph.End) -> Id {
        switch end {
        case .node(let index): ids[index]
        case .id(let id): id
        case .event: 0
        }
    }

    /// Whether the links of an end are written. An event contains its links, and an object that was
    /// not put has none.
    func hasLinks(_ end: EncodedGraph.End) -> Bool {
        switch end {
        case .node(let index): !ignored.contains(index)
        case .id: true
        case .event: false
        }
    }
}
