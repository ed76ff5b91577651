#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

extension MemoryVolume {
    /// A resolved path: its last name, and the node with that name, if it exists.
    struct Place {
        /// Nil for a path without a last name: `/`, `.` or a `..`.
        var name: MemoryOperation.Name?
        var node: Int?
        /// The parent directories, from the outermost.
        var ancestors: [Int]
    }

    /// Resolves a path like the operating system, with the same errors.
    func place(_ path: String, _ operation: String) throws(DaybookError) -> Place {
        try DirectoryPath.check(path)
        if path.isEmpty { throw failure(ENOENT, operation, path) }
        var walked = [path.utf8.first == UInt8(ascii: "/") ? Self.root : Self.workingDirectory]
        var place = Place(name: nil, node: walked[0], ancestors: walked)
        for component in path.split(separator: "/") where component != "." {
            guard let current = place.node else { throw failure(ENOENT, operation, path) }
            guard let entries = nodes[current].entries else {
                throw failure(ENOTDIR, operation, path)
            }
            if walked.last != current { walked.append(current) }
            if component == ".." {
                if walked.count > 1 { walked.removeLast() }
                place = Place(name: nil, node: walked[walked.count - 1], ancestors: walked)
            } else {
                let name = String(component)
                place = Place(
                    name: .init(directory: current, name: name), node: entries[name],
                    ancestors: walked)
            }
        }
        return place
    }

    /// The directory at a path.
    func directory(_ path: String, _ operation: String) throws(DaybookError) -> Int {
        guard let node = try place(path, operation).node else {
            throw failure(ENOENT, operation, path)
        }
        guard nodes[node].entries != nil else { throw failure(ENOTDIR, operation, path) }
        return node
    }

    private func failure(_ errno: Int32, _ operation: String, _ path: String) -> DaybookError {
        .operatingSystem(errno: errno, operation: operation, path: path)
    }
}
