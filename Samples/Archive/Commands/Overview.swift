import Daybook

/// What the archive looks like from above: who looks after how many packages, and which sections
/// have how many.
struct Overview {
    let store: Store

    /// All who look after packages and how many these are, the busiest first. Counts the links of
    /// each, and reads no package.
    func maintainers() throws -> [(name: String, packageCount: Int)] {
        try store.read {
            try store.box(for: Maintainer.self).query()
                .ordered(by: Maintainer.packages.count, flags: .descending)
                .ordered(by: Maintainer.text, flags: .caseSensitive).build().find()
                .map { ($0.text, try $0.packages.countInDb()) }
        }
    }

    /// The tree of sections, as lines: each with the number of packages in it and below it.
    func sections() throws -> [String] {
        try store.read {
            let roots = try store.box(for: Section.self).all().filter { !$0.parent.hasValue }
            return try roots.sorted { $0.path < $1.path }.flatMap { try tree($0, depth: 0).lines }
        }
    }

    // A section stands no deeper than its path has parts, so this comes to an end soon.
    private func tree(_ section: Section, depth: Int) throws -> (lines: [String], count: Int) {
        try section.children.resolve()
        let parts = try section.children.sorted { $0.name < $1.name }.map {
            try tree($0, depth: depth + 1)
        }
        let count = try section.packages.countInDb() + parts.reduce(0) { $0 + $1.count }
        let indent = String(repeating: "  ", count: depth)
        return (["\(indent)\(section.name) \(count)"] + parts.flatMap(\.lines), count)
    }
}
