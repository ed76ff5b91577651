/// Files and directories as one value. A copy is a cheap image of the disk.
///
/// Every change is a ``MemoryOperation``. Applying any subset of a history, in order, gives a
/// possible state of a disk.
package struct MemoryVolume: Sendable {
    /// A file, or a directory if `entries` is not nil.
    package struct Node: Sendable {
        package var content = MemoryContent()
        package var entries: [String: Int]?
        /// The names of the node: none, one, or both names during a rename, and its links.
        package var names: [MemoryOperation.Name] = []
        /// The names that were created by links.
        var links: Set<MemoryOperation.Name> = []
        /// The number of open files that keep the node alive.
        var openCount = 0
    }

    /// The node of `/`.
    static let root = 0
    /// The node of `.`, where relative paths start.
    static let workingDirectory = 1

    package var nodes: [Node] = [Node(entries: [:]), Node(entries: [:])]

    /// Applies an operation that was recorded on another volume.
    package mutating func apply(_ operation: MemoryOperation) {
        addNode(of: operation)
        switch operation {
        case .create(let node, let name), .createDirectory(let node, let name):
            set(name, to: node)
        case .rename(let node, let from, let to):
            // The rename moves the node, not the name. If an earlier operation is missing, the old
            // name may belong to another node, and the node may still have an older name. Links
            // stay.
            let links = nodes[node].links
            let oldNames = nodes[node].names.filter { name in
                links.contains(from) ? name == from : !links.contains(name)
            }
            set(to, to: node)
            for name in oldNames where name != to { clear(name) }
        case .link(let node, let name):
            set(name, to: node)
            nodes[node].links.insert(name)
        case .remove(let node, let name):
            if nodes[name.directory].entries?[name.name] == node { clear(name) }
        case .write(let file, let offset, let bytes):
            nodes[file].content.write(bytes.span, at: offset)
        case .resize(let file, let size): nodes[file].content.resize(to: size)
        case .preallocate(let file, let size): nodes[file].content.grow(to: size)
        case .sync, .failedSync, .syncDirectory: break
        }
    }

    /// Adds the node that an operation creates, without a name.
    package mutating func addNode(of operation: MemoryOperation) {
        switch operation {
        case .create(let node, _): addNodes(through: node)
        case .createDirectory(let node, _):
            addNodes(through: node)
            if nodes[node].entries == nil { nodes[node].entries = [:] }
        default: break
        }
    }

    /// Releases one open file of a node.
    mutating func release(_ node: Int) {
        nodes[node].openCount -= 1
        forgetIfUnused(node)
    }

    /// Visits every reachable name, in no particular order. Names in `.` have no prefix.
    package func forEachPath(_ visit: (_ path: String, _ node: Int) -> Void) {
        var open = [("/", Self.root), ("", Self.workingDirectory)]
        while let (prefix, directory) = open.popLast() {
            for (name, node) in nodes[directory].entries ?? [:] {
                visit(prefix + name, node)
                if nodes[node].entries != nil { open.append((prefix + name + "/", node)) }
            }
        }
    }

    private mutating func addNodes(through node: Int) {
        while nodes.count <= node { nodes.append(Node()) }
    }

    private mutating func set(_ name: MemoryOperation.Name, to node: Int) {
        let replaced = nodes[name.directory].entries?.updateValue(node, forKey: name.name)
        if replaced == node { return }
        nodes[node].names.append(name)
        if let replaced { lose(name, of: replaced) }
    }

    private mutating func clear(_ name: MemoryOperation.Name) {
        let removed = nodes[name.directory].entries?.removeValue(forKey: name.name)
        if let removed { lose(name, of: removed) }
    }

    private mutating func lose(_ name: MemoryOperation.Name, of node: Int) {
        nodes[node].names.removeAll { $0 == name }
        nodes[node].links.remove(name)
        forgetIfUnused(node)
    }

    /// Frees the bytes of a file when it has neither a name nor an open file.
    private mutating func forgetIfUnused(_ node: Int) {
        if nodes[node].names.isEmpty, nodes[node].openCount <= 0 {
            nodes[node].content = MemoryContent()
        }
    }
}
