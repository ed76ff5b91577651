import Daybook

/// Updates a store from one list: inserts new packages, replaces changed packages, removes missing
/// packages, and does not write unchanged packages.
struct Import {
    /// The number of packages for each result of an import.
    struct Outcome: Equatable {
        var insertedCount = 0
        var changedCount = 0
        var removedCount = 0
        var unchangedCount = 0
    }

    /// The number of packages in a transaction.
    static let batchCount = 1000

    let store: Store
    let box: Box<DebianPackage>
    let maintainers: Box<Maintainer>
    let sections: Box<Section>

    init(_ store: Store) {
        self.store = store
        box = store.box(for: DebianPackage.self)
        maintainers = store.box(for: Maintainer.self)
        sections = store.box(for: Section.self)
    }

    /// Imports the text of a list. Calls `progress` with the number of bytes processed.
    func run(
        _ text: [UInt8], of list: PackageList, progress: (Int) -> Void = { _ in }
    ) throws -> Outcome {
        var outcome = Outcome()
        var known = try knownIds(of: list)
        var paragraphs = Paragraphs(text)
        while let batch = try nextBatch(&paragraphs, list) {
            // One transaction per batch: after a crash the store has complete batches, and the next
            // import continues after them.
            try store.write {
                for listing in batch { try update(listing, &known, &outcome) }
            }
            progress(paragraphs.position)
        }
        let vanished = known.values.flatMap(\.self)
        outcome.removedCount = try box.remove(vanished)
        return outcome
    }

    /// Returns the stored ids of each package of a list. The index may contain several versions of
    /// a package; their order distinguishes them.
    private func knownIds(of list: PackageList) throws -> [PackageFields.Identity: [Id]] {
        var known: [PackageFields.Identity: [Id]] = [:]
        try box.forEach { package in
            let fields = package.fields
            if fields.list == list.name { known[fields.identity, default: []].append(package.id) }
        }
        return known
    }

    private func nextBatch(
        _ paragraphs: inout Paragraphs, _ list: PackageList
    ) throws -> [Listing]? {
        var batch: [Listing] = []
        while batch.count < Self.batchCount, let paragraph = paragraphs.next() {
            batch.append(try Listing(paragraph, list: list.name))
        }
        return batch.isEmpty ? nil : batch
    }

    private func update(
        _ listing: Listing, _ known: inout [PackageFields.Identity: [Id]],
        _ outcome: inout Outcome
    ) throws {
        let maintainer = try listing.maintainer.map(maintainer)
        let section = try listing.section.map(section)
        let id = known.removeFirstId(of: listing.fields.identity)
        var package = try id.flatMap { try box.get($0) } ?? DebianPackage()
        let isKnown = package.id != 0
        if isKnown, package.fields == listing.fields, package.maintainer.targetId == maintainer,
            package.section.targetId == section
        {
            outcome.unchangedCount += 1
            return
        }
        package.fields = listing.fields
        package.maintainer.targetId = maintainer
        package.section.targetId = section
        try box.put(&package)
        if isKnown { outcome.changedCount += 1 } else { outcome.insertedCount += 1 }
    }

    /// Returns the id of a maintainer. Puts a new maintainer if the store has none with that text.
    private func maintainer(_ text: String) throws -> EntityId<Maintainer> {
        if let known = try maintainers.get(key: text) { return EntityId(known.id) }
        return EntityId(try maintainers.put(Maintainer(text)))
    }

    /// Returns the id of a section. Puts the section and its parents if the store has none with
    /// that path.
    private func section(_ text: String) throws -> EntityId<Section> {
        let path = Section.path(text)
        if let known = try sections.get(key: path) { return EntityId(known.id) }
        return EntityId(try sections.put(Section(path: path), update: .modified))
    }
}

extension [PackageFields.Identity: [Id]] {
    /// Removes and returns the first id of a package.
    fileprivate mutating func removeFirstId(of identity: PackageFields.Identity) -> Id? {
        guard let index = index(forKey: identity), let first = self[index].value.first else {
            return nil
        }
        values[index].removeFirst()
        return first
    }
}
