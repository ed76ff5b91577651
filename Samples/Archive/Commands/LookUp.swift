import Daybook

/// Finds packages by name, by words and by section.
struct LookUp {
    let store: Store

    private var packages: Box<DebianPackage> { store.box() }

    /// Returns the packages with a name.
    func packages(named name: String) throws -> [DebianPackage] {
        try packages.query { $0.name == name }.find()
    }

    /// Returns the packages whose summaries contain all words, the most relevant first. A word
    /// followed by `*` matches all words with that prefix.
    func packages(about words: String, limit: Int) throws -> [DebianPackage] {
        try packages.query { $0.summary.matches(words) }
            .orderedByRelevance().limit(limit).find()
    }

    /// Returns the largest packages of a section.
    func largest(in section: String, limit: Int) throws -> [DebianPackage] {
        let path = Section.path(section)
        return try packages.query { $0.section.path == path && $0.size != nil }
            .ordered(by: \.size, flags: .descending).limit(limit).find()
    }

    /// Gets `count` packages by scattered ids. Returns the number of packages found.
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
