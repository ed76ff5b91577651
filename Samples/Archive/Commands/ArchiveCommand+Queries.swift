import Daybook

extension ArchiveCommand {
    private static let limit = 10

    static func search(_ path: String, _ words: [String]) throws {
        guard !words.isEmpty else { throw ArchiveError(usage) }
        try print(path) {
            try $0.packages(about: words.joined(separator: " "), limit: limit)
        }
    }

    static func printLargest(_ path: String, _ sections: [String]) throws {
        guard let section = sections.first, sections.count == 1 else { throw ArchiveError(usage) }
        try print(path) { try $0.largest(in: section, limit: limit) }
    }

    private static func print(
        _ path: String, _ find: (LookUp) throws -> [DebianPackage]
    ) throws {
        let store = try open(path)
        let (found, time) = try Timing.measure { try find(LookUp(store: store)) }
        for package in found {
            let size = package.fields.size.map(Sizes.text) ?? "unknown"
            Swift.print("\(package.fields.name), \(size): \(package.fields.summary ?? "")")
        }
        Swift.print("found in \(Timing.text(time))")
        try store.close()
    }
}
