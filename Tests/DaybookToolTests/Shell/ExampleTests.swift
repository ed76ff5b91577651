import Foundation
import Testing

@testable import DaybookCommand

/// The examples in the help texts.
@Suite struct ExampleTests {
    private static let commands = DaybookCommand.configuration.subcommands.compactMap {
        $0.configuration.commandName
    }

    /// Returns the command lines in the help of a command.
    private static func examples(of command: String) throws -> [String] {
        try CommandProcess.run(command, "--help").lines
            .filter { $0.hasPrefix("  daybook ") }
            .map { String($0.dropFirst(2)) }
    }

    /// Makes the store and the files that the examples name.
    private static func makeFiles(_ folder: ScratchFolder) throws {
        let store = try SampleStore()
        try store.put("Ada", age: 36)
        try store.put("Bob", age: 7)
        try store.put("Cid", age: 64)
        try store.write { try store.putNote(lengthBytes: 10, seed: 1, in: $0) }
        try store.remove(2)
        try store.close()
        try FileManager.default.moveItem(atPath: store.path, toPath: folder.path + "/Store")
        try folder.add("people.csv", "id,name,age\n,Dan,30\n,Eve,20\n")
        try folder.add("contacts.csv", "id,name,e-mail\n3,Cid,c@example.org\n")
        let made = try ShellScript.run(
            "sh", ["-c", "daybook backup Store Backup && daybook dump Store --at 3 > store.jsonl"],
            directory: folder.path)
        #expect(made.status == 0)
    }

    @Test func `every command has two or three examples, which fit in eighty columns`() throws {
        #expect(Self.commands.count > 12)
        for command in Self.commands {
            let examples = try Self.examples(of: command)
            #expect((2...3).contains(examples.count), "\(command)")
            #expect(examples.allSatisfy { $0.contains("daybook \(command) ") }, "\(command)")
            #expect(examples.allSatisfy { $0.count <= 78 }, "\(command)")
        }
    }

    @Test(arguments: commands)
    func `every example runs`(_ command: String) throws {
        for example in try Self.examples(of: command) {
            let folder = try ScratchFolder()
            try Self.makeFiles(folder)
            let before = try folder.contents
            let outcome = try ShellScript.run("sh", ["-c", example], directory: folder.path)
            #expect(outcome.status == 0, "\(example): \(outcome.errors)")
            #expect(outcome.errors == "", "\(example)")
            let changesFiles = try folder.contents != before
            #expect(!outcome.output.isEmpty || changesFiles, "\(example)")
        }
    }
}
