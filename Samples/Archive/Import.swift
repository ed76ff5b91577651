import Daybook

/// Brings a store up to date with one list: new packages are put, changed ones are replaced,
/// vanished ones removed, and those that are as they were are not written at all.
struct Import {
    /// What happened to the packages of a list.
    struct Outcome: Equatable {
        var insertedCount = 0
        var changedCount = 0
        var removedCount = 0
        var unchangedCount = 0
    }

    /// Packages of one transaction.
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

    /// Imports the text of a list. `progress` is told how many of its bytes are done.
    func run(
        _ text: [UInt8], of list: PackageList, progress: (Int) -> Void = { _ in }
    ) throws -> Outcome {
        var outcome = Outcome()
        var known = try knownIds(of: list)
        var paragraphs = Paragraphs(text)
        while let batch = try nextBatch(&paragraphs, list) {
            // One transaction each: a crash leaves whole batches, and the next import goes on from
            // there.
            try store.write {
                for listing in batch { try update(listing, &known, &outcome) }
            }
            progress(paragraphs.position)
        }
        let vanished = known.values.flatMap(\.self)
        outcome.removedCount = try box.remove(vanished)
        return outcome
    }

    /// The ids that the store has for each package of a list. The index may list a package in
    /// several versions; they are told apart by their order.
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

    /// The id of a maintainer, who is put where the store has none of that name.
    private func maintainer(_ text: String) throws -> EntityId<Maintainer> {
        if let known = try maintainers.get(key: text) { return EntityId(known.id) }
        return EntityId(try maintainers.put(Maintainer(text)))
    }

    /// The id of a section, which is put with those above it where the store has none of that path.
    private func section(_ text: String) throws -> EntityId<Section> {
        let path = Section.path(text)
        if let known = try sections.get(key: path) { return EntityId(known.id) }
        return EntityId(try sections.put(Section(path: path), update: .modified))
    }
}

extension [PackageFields.Identity: [Id]] {
    /// Takes the first of a package's ids out of the table.
    fileprivate mutating func removeFirstId(of identity: PackageFields.Identity) -> Id? {
        guard let index = index(forKey: identity), let first = self[index].value.first else {
            return nil
        }
        values[index].removeFirst()
        return first
    }
}
