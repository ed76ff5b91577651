/// The trees that the writer has touched. Small or few ids are found without hashing.
struct TreeStates {
    private var states: [TreeState] = []
    private var indices: [TreeID: Int] = [:]
    /// The index of the last tree found with these low id bits.
    private var recent = [Int32](repeating: 0, count: 64)

    subscript(index: Int) -> TreeState {
        get { states[index] }
        set { states[index] = newValue }
    }

    @inline(__always)
    func index(of tree: TreeID) -> Int? {
        let index = Int(recent[Int(tree & 63)])
        if index < states.count && states[index].tree == tree { return index }
        return indices[tree]
    }

    /// Records the last use of a tree.
    @inline(__always)
    mutating func note(_ index: Int) {
        recent[Int(states[index].tree & 63)] = Int32(truncatingIfNeeded: index)
    }

    mutating func append(_ state: TreeState) -> Int {
        indices[state.tree] = states.count
        states.append(state)
        return states.count - 1
    }

    var all: [TreeState] { states }
}
