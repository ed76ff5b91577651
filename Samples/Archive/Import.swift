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

    init(_ store: Store) {
        self.store = store
        box = store.box(for: DebianPackage.self)
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
            try store.runInTransaction {
                for package in batch { try update(package, &known, &outcome) }
            }
            progress(paragraphs.position)
        }
        let vanished = known.values.flatMap(\.self)
        outcome.removedCount = try box.remove(vanished)
        return outcome
    }

    /// The ids that the store has for each package of a list. The index may list a package in
    /// several versions; they are told apart by their order.
    private func knownIds(of list: PackageList) throws -> [DebianPackage.Identity: [Id]] {
        var known: [DebianPackage.Identity: [Id]] = [:]
        try box.forEach { package in
            if package.list == list.name { known[package.identity, default: []].append(package.id) }
        }
        return known
    }

    private func nextBatch(
        _ paragraphs: inout Paragraphs, _ list: PackageList
    ) throws -> [DebianPackage]? {
        var batch: [DebianPackage] = []
        while batch.count < Self.batchCount, let paragraph = paragraphs.next() {
            batch.append(try DebianPackage(paragraph, list: list.name))
        }
        return batch.isEmpty ? nil : batch
    }

    private func update(
        _ package: DebianPackage, _ known: inout [DebianPackage.Identity: [Id]],
        _ outcome: inout Outcome
    ) throws {
        guard let id = known.removeFirstId(of: package.identity) else {
            try box.put(package)
            outcome.insertedCount += 1
            return
        }
        var package = package
        package.id = id
        if try box.get(id) == package {
            outcome.unchangedCount += 1
        } else {
            try box.put(package)
            outcome.changedCount += 1
        }
    }
}

extension [DebianPackage.Identity: [Id]] {
    /// Takes the first of a package's ids out of the table.
    fileprivate mutating func removeFirstId(of identity: DebianPackage.Identity) -> Id? {
        guard let index = index(forKey: identity), let first = self[index].value.first else {
            return nil
        }
        values[index].removeFirst()
        return first
    }
}
