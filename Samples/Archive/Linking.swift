import Daybook

/// Relates packages to those that they depend on, once all lists are imported, for these may stand
/// anywhere. Links that are as they should be are not written.
struct Linking {
    struct Outcome: Equatable {
        /// How many packages have other links than before.
        var changedCount = 0
        /// How many links there are.
        var linkCount = 0
        /// How many packages were asked for that the archive does not have.
        var missingCount = 0
    }

    /// The packages that a name stands for.
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

    /// Brings all links up to date. `progress` is told how many packages are done.
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

    /// What stands for a stored package: of it only the link is written, so its id is enough.
    private func reference(to id: Id) -> DebianPackage {
        var package = blank
        package.id = id
        return package
    }

    /// The packages that one depends on, ascending: of alternatives the first that the archive has,
    /// under its own name in whichever list, or else all that provide it.
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
