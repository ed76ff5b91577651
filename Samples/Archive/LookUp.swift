import Daybook

/// Finds packages by name. There are no queries yet, so it looks at all of them, one at a time.
struct LookUp {
    let store: Store

    /// The packages of that name, and how many were looked at.
    func packages(named name: String) throws -> (found: [DebianPackage], visitedCount: Int) {
        var found: [DebianPackage] = []
        var visitedCount = 0
        try store.box(for: DebianPackage.self).forEach { package in
            visitedCount += 1
            if package.fields.name == name { found.append(package) }
        }
        return (found, visitedCount)
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
