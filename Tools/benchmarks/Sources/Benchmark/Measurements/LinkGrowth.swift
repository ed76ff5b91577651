import Daybook
import Foundation

/// `benchmark links --n 1000000`: measures the cost of an additional link for an object with ten
/// links and for an object with n links, in time and in log bytes.
struct LinkGrowth {
    private static let fewCount = 10
    private static let linkCount = 1_000

    let n: Int
    let directory: String

    func run() throws {
        let (hostOfMany, hostsOfFew) = try fill()
        let few = try measure(from: n) { hostsOfFew[$0] }
        let many = try measure(from: n + Self.linkCount) { _ in hostOfMany }
        try line("link_to_\(Self.fewCount)", few)
        try line("link_to_\(n)", many)
        let ratio = String(format: "%.2f", many.seconds / few.seconds)
        Output.line("| one more link to \(n) costs \(ratio) times one more to \(Self.fewCount) |")
    }

    /// Creates an object with n links and a thousand objects with ten links. Returns their ids.
    /// Also creates members without links, after the linked ones.
    private func fill() throws -> (Id, [Id]) {
        try withStore { store in
            let (hosts, members) = (store.box(for: LinkHost.self), store.box(for: LinkMember.self))
            let all = (0..<(n + 2 * Self.linkCount)).map { _ in LinkMember() }
            try members.put(all)
            let many = LinkHost()
            many.members = ToMany(all[..<n])
            let few = (0..<Self.linkCount).map { index in
                let host = LinkHost()
                host.members = ToMany(all[index..<(index + Self.fewCount)])
                return host
            }
            return (try hosts.put(many), try hosts.put(few))
        }
    }

    /// Adds one link to each of a thousand objects, each in its own transaction.
    private func measure(
        from first: Int, _ host: (Int) -> Id
    ) throws -> (seconds: Double, bytes: Double) {
        let before = logBytes
        var stopwatch = Stopwatch()
        try withStore { store in
            let (hosts, members) = (store.box(for: LinkHost.self), store.box(for: LinkMember.self))
            let fresh = try members.get((0..<Self.linkCount).map { UInt64(first + $0 + 1) })
            let held = try (0..<Self.linkCount).map { try hosts.get(host($0)) }
            try stopwatch.time {
                for (index, host) in held.enumerated() {
                    host?.members.append(fresh[index])
                    try host?.members.applyToDb()
                }
            }
        }
        return (stopwatch.wallSeconds, Double(logBytes - before))
    }

    /// The length of the closed log, in bytes.
    private var logBytes: Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasPrefix("segment-") }.reduce(0) { sum, name in
            let path = directory + "/" + name
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return sum + ((attributes?[.size] as? Int) ?? 0)
        }
    }

    private func withStore<Result>(_ body: (Store) throws -> Result) throws -> Result {
        var options = StoreOptions()
        options.durability = .manual
        let store = try Store(
            directoryPath: directory, entities: LinkHost.self, LinkMember.self, options: options)
        let result = try body(store)
        try store.close()
        return result
    }

    private func line(_ name: String, _ figures: (seconds: Double, bytes: Double)) throws {
        let count = Double(Self.linkCount)
        Output.line(
            String(
                format: "| %@ | %.2f µs/commit | %.0f bytes of the log a commit |",
                name, figures.seconds / count * 1e6, figures.bytes / count))
    }
}
