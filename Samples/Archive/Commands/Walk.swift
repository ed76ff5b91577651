import Daybook

/// Follows relations from packages to packages, transitively.
struct Walk {
    /// A relation of packages to packages.
    typealias Relation = KeyPath<DebianPackage, ToMany<DebianPackage>>

    let store: Store

    /// Returns the packages that are reached in one step, in two steps, and so on, each only in the
    /// first step that reaches it. If `isTransitive` is false, takes only one step. All steps read
    /// one version of the store.
    func steps(
        from starts: [Id], along relation: Relation, isTransitive: Bool = true
    ) throws -> [[Id]] {
        try store.read {
            var seen = Set(starts)
            var steps: [[Id]] = []
            var front = starts
            while !front.isEmpty, isTransitive || steps.isEmpty {
                let next = try neighbours(of: front, along: relation).filter {
                    seen.insert($0).inserted
                }
                if !next.isEmpty { steps.append(next.sorted()) }
                front = next
            }
            return steps
        }
    }

    /// Returns the target ids. Decodes only the source objects, not the targets.
    private func neighbours(of ids: [Id], along relation: Relation) throws -> [Id] {
        var found: [Id] = []
        try store.box(for: DebianPackage.self).forEach(ids: ids) { package in
            guard let package else { return }
            found += try package[keyPath: relation].getUncachedIdsFromDb().map(\.value)
        }
        return found
    }

    /// Returns the distinct names of packages, in alphabetical order.
    func names(of ids: [Id]) throws -> [String] {
        var names: Set<String> = []
        try store.box(for: DebianPackage.self).forEach(ids: ids) { package in
            if let package { names.insert(package.fields.name) }
        }
        return names.sorted()
    }
}
