import Daybook
import Foundation

/// Creates a store for the tests of the page: `browse-fixture DIRECTORY [--commits N] [--hostile]
/// [--persons N] [--keep-writing]`.
///
/// The contents are the same at each run. With `--keep-writing`, the program commits a person every
/// 200 ms until its standard input is closed.
@main
struct BrowseFixture {
    static func main() throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        func flag(_ name: String) -> Bool {
            guard let index = arguments.firstIndex(of: name) else { return false }
            arguments.remove(at: index)
            return true
        }
        func number(_ name: String, _ usual: Int) -> Int {
            guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else {
                return usual
            }
            defer { arguments.removeSubrange(index...index + 1) }
            return Int(arguments[index + 1]) ?? usual
        }
        let isHostile = flag("--hostile")
        let keepsWriting = flag("--keep-writing")
        let commitCount = number("--commits", 400)
        let personCount = number("--persons", 300)
        guard arguments.count == 1 else {
            print(
                "usage: browse-fixture DIRECTORY [--commits N] [--persons N] [--hostile]"
                    + " [--keep-writing]"
            )
            exit(2)
        }
        let store = try Store(
            path: arguments[0], entities: [Person.self, Team.self, Hostile.self])
        if try store.box(for: Team.self).count() == 0 {
            try Contents(store: store).write(personCount: personCount, commitCount: commitCount)
            if isHostile { try Contents(store: store).writeHostile() }
            try Contents(store: store).writeConsumers()
        }
        if keepsWriting { try keepWriting(store) }
        try store.close()
    }

    private static func keepWriting(_ store: Store) throws {
        // Ends with the standard input.
        Thread.detachNewThread {
            while let data = try? FileHandle.standardInput.read(upToCount: 1), !data.isEmpty {}
            exit(0)
        }
        // The reader of the output waits for this line.
        try FileHandle.standardOutput.write(contentsOf: Data("writing\n".utf8))
        let people = store.box(for: Person.self)
        var number = 0
        while true {
            number += 1
            try store.write(metadata: ["author": "Live"]) {
                try people.put(Person(name: "New \(number)", age: number % 90))
            }
            Thread.sleep(forTimeInterval: 0.2)
        }
    }
}
