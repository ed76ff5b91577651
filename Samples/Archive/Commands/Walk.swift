import Daybook

/// Goes from packages to those that they relate to, and from these on.
struct Walk {
    /// A relation of packages to packages.
    typealias Relation = KeyPath<DebianPackage, ToMany<DebianPackage>>

    let store: Store

    /// The packages that are reached from some in one step, those in two, and so on, each where it
    /// is reached first. With `isTransitive` false, only one step is taken. All are of one version.
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

    /// The ids at the other ends. No object is made of them, only of those whose links they are.
    private func neighbours(of ids: [Id], along relation: Relation) throws -> [Id] {
        var found: [Id] = []
        try store.box(for: DebianPackage.self).forEach(ids: ids) { package in
            guard let package else { return }
            found += try package[keyPath: relation].getUncachedIdsFromDb().map(\.value)
        }
        return found
    }

    /// The names of packages, each once, in alphabetical order.
    func names(of ids: [Id]) throws -> [String] {
        var names: Set<String> = []
        try store.box(for: DebianPackage.self).forEach(ids: ids) { package in
            if let package { names.insert(package.fields.name) }
        }
        return names.sorted()
    }
}
