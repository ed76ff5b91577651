import Daybook

/// An overview of the archive: the number of packages per maintainer and per section.
struct Overview {
    let store: Store

    /// Returns all maintainers and the number of their packages, the largest first. Counts the
    /// links of each maintainer and reads no package.
    func maintainers() throws -> [(name: String, packageCount: Int)] {
        try store.read {
            try store.box(for: Maintainer.self).query()
                .ordered(by: Maintainer.packages.count, flags: .descending)
                .ordered(by: Maintainer.text, flags: .caseSensitive).build().find()
                .map { ($0.text, try $0.packages.countInDb()) }
        }
    }

    /// Returns the tree of sections as lines, each with the number of packages in the section and
    /// its subsections.
    func sections() throws -> [String] {
        try store.read {
            let roots = try store.box(for: Section.self).all().filter { !$0.parent.hasValue }
            return try roots.sorted { $0.path < $1.path }.flatMap { try tree($0, depth: 0).lines }
        }
    }

    // The depth of a section is at most the number of parts of its path, so the recursion ends.
    private func tree(_ section: Section, depth: Int) throws -> (lines: [String], count: Int) {
        try section.children.get()
        let parts = try section.children.sorted { $0.name < $1.name }.map {
            try tree($0, depth: depth + 1)
        }
        let count = try section.packages.countInDb() + parts.reduce(0) { $0 + $1.count }
        let indent = String(repeating: "  ", count: depth)
        return (["\(indent)\(section.name) \(count)"] + parts.flatMap(\.lines), count)
    }
}
