extension MemoryVolume {
    /// Creates a volume with these files and their parent directories.
    init(contents: [String: [UInt8]]) {
        for (path, bytes) in contents {
            var directory = path.hasPrefix("/") ? Self.root : Self.workingDirectory
            let components = path.split(separator: "/").filter { $0 != "." }.map(String.init)
            precondition(!components.isEmpty, "a file needs a name")
            for name in components.dropLast() {
                if let found = nodes[directory].entries?[name] {
                    directory = found
                } else {
                    let made = nodes.count
                    apply(
                        .createDirectory(directory: made, .init(directory: directory, name: name)))
                    directory = made
                }
            }
            let file = nodes.count
            let name = MemoryOperation.Name(directory: directory, name: components.last ?? "")
            apply(.create(file: file, name))
            nodes[file].content = MemoryContent(bytes)
        }
    }

    /// Copies of all files by path.
    var contents: [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        forEachPath { path, node in
            if nodes[node].entries == nil { contents[path] = nodes[node].content.bytes }
        }
        return contents
    }
}
