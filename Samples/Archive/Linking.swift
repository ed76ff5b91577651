import Daybook

/// Links packages to their dependencies after all lists are imported, because a dependency may be
/// in any list. Does not write unchanged links.
struct Linking {
    struct Outcome: Equatable {
        /// The number of packages whose links changed.
        var changedCount = 0
        /// The number of links.
        var linkCount = 0
        /// The number of required packages that are not in the archive.
        var missingCount = 0
    }

    /// The packages for each name.
    private struct Names {
        var real: [String: [Id]] = [:]
        var provided: [String: [Id]] = [:]

        subscript(name: String) -> [Id]? { real[name] ?? provided[name] }
    }

    let store: Store
    let box: Box<DebianPackage>
    private let blank = DebianPackage()

    init(_ store: Store) {
        self.store = store
        box = store.box(for: DebianPackage.self)
    }

    /// Updates all links. Calls `progress` with the number of packages processed.
    func run(progress: (Int) -> Void = { _ in }) throws -> Outcome {
        var outcome = Outcome()
        var names = Names()
        var ids: [Id] = []
        try box.forEach { package in
            ids.append(package.id)
            names.real[package.fields.name, default: []].append(package.id)
            for name in package.fields.provides.map(Requirements.names) ?? [] {
                names.provided[name, default: []].append(package.id)
            }
        }
        for start in stride(from: 0, to: ids.count, by: Import.batchCount) {
            let end = min(start + Import.batchCount, ids.count)
            try store.write {
                try box.forEach(ids: ids[start..<end]) { package in
                    if let package { try update(package, names, &outcome) }
                }
            }
            progress(end)
        }
        return outcome
    }

    private func update(
        _ package: DebianPackage, _ names: Names, _ outcome: inout Outcome
    ) throws {
        let wanted = targets(of: package, names, &outcome)
        outcome.linkCount += wanted.count
        let known = try package.dependsOn.getUncachedIdsFromDb().map(\.value)
        if wanted == known { return }
        let new = wanted.filter { !known.contains($0) }.map(reference)
        let old = known.filter { !wanted.contains($0) }.map(reference)
        for target in old { package.dependsOn.remove(target) }
        package.dependsOn.append(contentsOf: new)
        try package.dependsOn.applyToDb()
        outcome.changedCount += 1
    }

    /// Returns a placeholder for a stored package. Writing a link needs only the target's id.
    private func reference(to id: Id) -> DebianPackage {
        var package = blank
        package.id = id
        return package
    }

    /// Returns the dependencies of a package, in ascending order. Among alternatives, uses the
    /// first one in the archive: the packages with that name in any list, otherwise all packages
    /// that provide it.
    private func targets(
        of package: DebianPackage, _ names: Names, _ outcome: inout Outcome
    ) -> [Id] {
        var targets: Set<Id> = []
        for text in [package.fields.preDepends, package.fields.depends] {
            for alternatives in text.map(Requirements.read) ?? [] {
                if let found = alternatives.lazy.compactMap({ names[$0] }).first {
                    targets.formUnion(found)
                } else {
                    outcome.missingCount += 1
                }
            }
        }
        targets.remove(package.id)
        return targets.sorted()
    }
}
