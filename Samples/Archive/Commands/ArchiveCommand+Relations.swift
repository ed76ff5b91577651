import Daybook
import Foundation

// The commands that follow relations.

extension ArchiveCommand {
    /// The maximum width of a printed line of package names.
    private static let widthMax = 100

    static func walk(
        _ path: String, _ arguments: [String], along relation: Walk.Relation
    ) throws {
        let isTransitive = arguments.contains("--transitively")
        let names = arguments.filter { $0 != "--transitively" }
        guard names.count == 1 else { throw ArchiveError(usage) }
        let store = try open(path, isReadOnly: true)
        let starts = try LookUp(store: store).packages(named: names[0]).map(\.id)
        guard !starts.isEmpty else { throw ArchiveError("There is no package '\(names[0])'.") }
        let walk = Walk(store: store)
        let (steps, time) = try Timing.measure {
            try walk.steps(from: starts, along: relation, isTransitive: isTransitive)
        }
        for (number, step) in steps.enumerated() {
            let names = try walk.names(of: step)
            let width = isTransitive ? widthMax : .max
            print("step \(number + 1), \(step.count): " + line(names, width: width))
        }
        print("\(steps.reduce(0) { $0 + $1.count }) packages in \(Timing.text(time))")
        try store.close()
    }

    /// Returns as many names as fit into `width`, with an ellipsis if some are omitted.
    static func line(_ names: [String], width: Int) -> String {
        var shown = names[..<0]
        var count = 0
        for name in names {
            count += name.count + 1
            if count > width { break }
            shown = names[...shown.endIndex]
        }
        return shown.joined(separator: " ") + (shown.count < names.count ? " …" : "")
    }

    static func printMaintainers(_ path: String) throws {
        let store = try open(path, isReadOnly: true)
        let (all, time) = try Timing.measure { try Overview(store: store).maintainers() }
        for (name, count) in all.prefix(10) { print("\(count) \(name)") }
        print("\(all.count) maintainers in \(Timing.text(time))")
        try store.close()
    }

    static func printSections(_ path: String) throws {
        let store = try open(path, isReadOnly: true)
        let (lines, time) = try Timing.measure { try Overview(store: store).sections() }
        for line in lines { print(line) }
        print("\(lines.count) sections in \(Timing.text(time))")
        try store.close()
    }

    /// Opens a store with all entities of the archive.
    static func open(_ path: String, isReadOnly: Bool = false) throws -> Store {
        var options = StoreOptions()
        options.isReadOnly = isReadOnly
        return try Store(
            directoryPath: path, entities: DebianPackage.self, Maintainer.self, Section.self,
            options: options)
    }
}
