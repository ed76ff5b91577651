import Daybook
import Foundation

/// The command line: see `usage`.
@main struct ArchiveCommand {
    static let usage = """
        usage: archive import STORE [FILE ...]  bring STORE up to date with package indexes: those
                                                named, those of this machine, or the excerpt
               archive look-up STORE NAME ...   print the packages of these names
               archive search STORE WORD ...    print the packages whose summaries have these words,
                                                the best first; 'compress*' is a beginning
               archive largest STORE SECTION    print the largest packages of a section
               archive depends STORE NAME [--transitively]
                                                print what the package depends on
               archive required-by STORE NAME [--transitively]
                                                print what depends on the package
               archive maintainers STORE        print who looks after how many packages
               archive sections STORE           print the tree of sections
               archive revise STORE             change some packages and remove others
               archive sql STORE                print the packages as statements for SQLite
               archive text-size [FILE ...]     print how many bytes of text the indexes have
        """

    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("archive: \(error)\n".utf8))
            exit(1)
        }
    }

    static func run(_ arguments: [String]) throws {
        if arguments.first == "text-size" { return try printTextSize(Array(arguments.dropFirst())) }
        guard arguments.count >= 2 else { throw ArchiveError(usage) }
        let (path, rest) = (arguments[1], Array(arguments.dropFirst(2)))
        switch arguments[0] {
        case "import": try importLists(path, rest)
        case "look-up": try lookUp(path, rest)
        case "search": try search(path, rest)
        case "largest": try printLargest(path, rest)
        case "depends": try walk(path, rest, along: \.dependsOn)
        case "required-by": try walk(path, rest, along: \.requiredBy)
        case "maintainers": try printMaintainers(path)
        case "sections": try printSections(path)
        case "revise": try revise(path)
        case "sql": try printSQL(path)
        default: throw ArchiveError(usage)
        }
    }

    private static func importLists(_ path: String, _ files: [String]) throws {
        noteSlowBuild()
        let store = try open(path)
        let lists = try lists(files)
        let work = Import(store)
        for list in lists {
            let text = try list.text()
            let before = try store.sequence
            var bar = ProgressBar(list.name, total: text.count)
            let (outcome, time) = try Timing.measure {
                try work.run(text, of: list) { bar.update($0) }
            }
            _ = consume bar
            print(
                "\(list.name), \(Sizes.text(text.count)): \(outcome.insertedCount) new,"
                    + " \(outcome.changedCount) changed, \(outcome.removedCount) removed,"
                    + " \(outcome.unchangedCount) unchanged;"
                    + " commits: \(try store.sequence - before); \(Timing.text(time))")
        }
        try link(store)
        try store.close()
    }

    private static func link(_ store: Store) throws {
        let before = try store.sequence
        var bar = ProgressBar("dependencies", total: try store.box(for: DebianPackage.self).count())
        let (outcome, time) = try Timing.measure {
            try Linking(store).run { bar.update($0) }
        }
        _ = consume bar
        print(
            "dependencies: \(outcome.linkCount) links, \(outcome.changedCount) packages changed,"
                + " \(outcome.missingCount) times nothing of that name;"
                + " commits: \(try store.sequence - before); \(Timing.text(time))")
    }

    private static func lookUp(_ path: String, _ names: [String]) throws {
        noteSlowBuild()
        let (store, time) = try Timing.measure {
            try open(path)
        }
        let count = try store.box(for: DebianPackage.self).count()
        print("opened a store of \(count) packages in \(Timing.text(time))")
        for name in names {
            let (found, time) = try Timing.measure {
                try LookUp(store: store).packages(named: name)
            }
            for package in found { print(package) }
            print("found \(found.count) packages of that name in \(Timing.text(time))")
        }
        let (foundCount, getTime) = try Timing.measure { try LookUp(store: store).getSome(100_000) }
        print("got 100000 packages by id in \(Timing.text(getTime)); \(foundCount) found")
        try store.close()
    }

    private static func revise(_ path: String) throws {
        let store = try open(path)
        let (outcome, time) = try Timing.measure { try Revision(store: store).run() }
        print(
            "changed \(outcome.changedCount) packages and removed \(outcome.removedCount) in commit"
                + " \(try store.sequence), \(Timing.text(time))")
        try store.close()
    }

    private static func printSQL(_ path: String) throws {
        let store = try open(path, isReadOnly: true)
        try SQLText(store: store).run { print($0, terminator: "") }
        try store.close()
    }

    private static func printTextSize(_ files: [String]) throws {
        print(try lists(files).reduce(0) { try $0 + $1.text().count })
    }

    private static func lists(_ files: [String]) throws -> [PackageList] {
        files.isEmpty ? try PackageList.found() : files.map(PackageList.init(path:))
    }

    private static func noteSlowBuild() {
        #if DEBUG
        print("(debug build: the times are not representative)")
        #endif
    }
}
