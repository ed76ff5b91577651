import Foundation
import Testing

@Suite struct UsageTests {
    /// Returns the shortest valid command line of a command.
    private static func arguments(_ command: String, _ directory: String) -> [String] {
        [command, directory] + (command == "query" ? ["Person"] : [])
    }

    @Test(arguments: [
        ([], "Missing expected argument '<directory>'"),
        (["--from", "yesterday", "store"], "--from"),
        (["--from", "yesterday", "store"], "give a sequence, as in 1042"),
        (["--until", "2026-02-30", "store"], "2026-11-21T10:00:00Z"),
        (["--until", "-4", "store"], "--until"),
        (["--entity", ":7", "store"], "give an entity, as in Customer"),
        (["--entity", "Person:x", "store"], "--entity"),
        (["--entity", "Person:0", "store"], "Customer:7"),
        (["--op", "delete", "store"], "put,remove"),
        (["--limit=-1", "store"], "'--limit' must not be negative"),
        (["--state", "--stats", "store"], "--state and --stats exclude each other"),
        (["--check", "--into", "new", "store"], "--into and --check exclude each other"),
        (["--state", "--from", "4", "store"], "'--from' has no effect with '--state'"),
        (
            ["--into", "new", "--entity", "Person", "store"],
            "'--entity' has no effect with '--into'"
        ),
        (["--check", "--until", "4", "store"], "'--until' has no effect with '--check'"),
        (["--from", "5", "--until", "3", "store"], "swap them"),
        (["--colour", "store"], "Unknown option '--colour'"),
        ([""], "The path of the store is an empty string"),
        (["store", "--into", ""], "The path after '--into' is an empty string"),
    ])
    func `wrong usage exits with 2 and prints only the correction`(
        _ arguments: [String], _ message: String
    ) throws {
        let outcome = try CommandProcess(["replay"] + arguments).finish()
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func `an unknown entity is wrong usage, and the error lists the existing ones`() throws {
        let store = try SampleStore()
        for mode in [[], ["--state"], ["--stats"]] {
            let outcome = try CommandProcess(
                ["replay", store.path, "--entity", "Persn"] + mode
            ).finish()
            #expect(outcome.status == 2)
            #expect(outcome.output == "")
            #expect(
                outcome.errors
                    == "daybook: The store has no entity 'Persn'. It has: Note, Person.\n")
        }
    }

    @Test func `requested help is printed to standard output`() throws {
        for arguments in [["--help"], ["replay", "--help"], ["help", "compact"], []] {
            let outcome = try CommandProcess(arguments).finish()
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("USAGE: daybook"))
            #expect(outcome.errors == "")
        }
    }

    @Test(arguments: ["replay", "verify", "stats", "compact", "query"])
    func `a directory without a store is refused and not changed`(_ command: String) throws {
        let store = try SampleStore()
        let foreign = store.sibling("foreign")
        try FileManager.default.createDirectory(atPath: foreign, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: foreign + "/letter.txt"))
        let outcome = try CommandProcess(Self.arguments(command, foreign)).finish()
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("daybook: \(foreign) is not a store: it has no CURRENT."))
        #expect(try FileManager.default.contentsOfDirectory(atPath: foreign) == ["letter.txt"])
    }

    @Test(arguments: ["replay", "verify", "stats", "compact", "query"])
    func `a store of a newer release is refused`(_ command: String) throws {
        let store = try SampleStore()
        try store.put("Ada")
        try store.close()
        try FutureFormat.apply(to: store.path)
        let before = try store.files()
        let outcome = try CommandProcess(Self.arguments(command, store.path)).finish()
        #expect(outcome.status == 6)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains("this release reads up to 1"))
        #expect(try store.files() == before)
    }
}
