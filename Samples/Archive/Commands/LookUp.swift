import Daybook

/// Finds packages by what they are called, by words, and by where they stand.
struct LookUp {
    let store: Store

    private var packages: Box<DebianPackage> { store.box() }

    /// The packages of that name.
    func packages(named name: String) throws -> [DebianPackage] {
        try packages.where { $0.name == name }.find()
    }

    /// Those whose summaries have all of the words, the best first. A word with a star behind it
    /// stands for all that begin with it.
    func packages(about words: String, limit: Int) throws -> [DebianPackage] {
        try packages.where { $0.summary.matches(words) }
            .sortedByRelevance().limit(limit).find()
    }

    /// The largest packages of a section.
    func largest(in section: String, limit: Int) throws -> [DebianPackage] {
        let path = Section.path(section)
        return try packages.where { $0.section.path == path && $0.size != nil }
            .sorted(by: \.size, flags: .descending).limit(limit).find()
    }

    /// Gets `count` packages by ids that jump about; returns how many there were.
    func getSome(_ count: Int) throws -> Int {
        let box = store.box(for: DebianPackage.self)
        let idCount = UInt64(try box.count())
        guard idCount > 0 else { return 0 }
        var foundCount = 0
        var state: UInt64 = 1
        for _ in 0..<count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            if try box.get((state >> 33) % idCount + 1) != nil { foundCount += 1 }
        }
        return foundCount
    }
}

extension DebianPackage: CustomStringConvertible {
    var description: String {
        let size = fields.size.map { "\($0) bytes" } ?? "of unknown size"
        return """
            \(fields.name) \(fields.version) (\(fields.architecture)), object \(id)
              \(fields.summary ?? "no summary")
              section \(section.target?.path ?? "none"), \(size)
              looked after by \(maintainer.target?.text ?? "nobody")
              from \(fields.list)
            """
    }
}
