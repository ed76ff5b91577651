import Foundation
import Testing

@testable import DaybookCommand

/// The completion scripts of the shells.
@Suite struct CompletionTests {
    /// Writes the script of a shell into a folder. Returns its path.
    private func script(of shell: String, in folder: String) throws -> String {
        let outcome = try CommandProcess.run("--generate-completion-script", shell)
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        #expect(outcome.output.contains("compact"))
        let path = folder + "/completions." + shell
        try Data(outcome.output.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func expectAccepted(by shell: String) throws {
        let folder = try ScratchFolder()
        let outcome = try ShellScript.run(
            shell, ["-n", try script(of: shell, in: folder.path)], directory: folder.path)
        #expect(outcome == CommandProcess.Outcome(status: 0, output: "", errors: ""))
    }

    /// Completes words that have completions, and repeats that while there are none: on a busy
    /// machine, opening the store may take longer than a completion waits.
    private func complete(
        _ words: [String], in directory: String, expecting expected: [String]
    ) throws -> [String] {
        var found = try complete(words, in: directory)
        for _ in 0..<10 where found.isEmpty && !expected.isEmpty {
            found = try complete(words, in: directory)
        }
        return found
    }

    /// Completes the last word as bash does after the tab key.
    private func complete(_ words: [String], in directory: String) throws -> [String] {
        let folder = try ScratchFolder()
        let run = """
            source "$0"
            COMP_WORDS=("$@")
            COMP_CWORD=$(($# - 1))
            COMP_LINE="$*"
            COMP_POINT=${#COMP_LINE}
            _daybook daybook "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let arguments = ["-c", run, try script(of: "bash", in: folder.path), "daybook"] + words
        let outcome = try ShellScript.run("bash", arguments, directory: directory)
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        return outcome.lines.sorted()
    }

    @Test(.enabled(if: ShellScript.isInstalled("bash"), "bash is not installed"))
    func `bash accepts its script`() throws { try expectAccepted(by: "bash") }

    @Test(.enabled(if: ShellScript.isInstalled("zsh"), "zsh is not installed"))
    func `zsh accepts its script`() throws { try expectAccepted(by: "zsh") }

    @Test(.enabled(if: ShellScript.isInstalled("fish"), "fish is not installed"))
    func `fish accepts its script`() throws { try expectAccepted(by: "fish") }

    @Test func `each shell has a script with the entities and the formats`() throws {
        let folder = try ScratchFolder()
        for shell in ["bash", "zsh", "fish"] {
            let path = try script(of: shell, in: folder.path)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.contains("---completion"))
            #expect(text.contains("jsonl"))
        }
    }

    @Test(
        .enabled(if: ShellScript.isInstalled("bash"), "bash is not installed"),
        arguments: [
            (["com"], ["compact"]),
            (["re"], ["repair", "replay", "restore"]),
            (["verify", ""], ["folder", "store"]),
            (["import", "store", "Person", ""], ["folder", "people.csv", "store"]),
            (["export", "store", "Person", "--format", ""], ["csv", "jsonl"]),
            (["import", "store", "--update", "re"], ["replace"]),
            (["replay", "store", "--op", "un"], ["unlink"]),
            (["replay", "--into", "fo"], ["folder"]),
            (["compact", "store", "--history", ""], ["all", "latest", "since=", "versions="]),
            (["compact", "store", "--dry"], ["--dry-run"]),
            (["query", "store", ""], ["Note", "Person"]),
            (["query", "'store'", "P"], ["Person"]),
            (["export", "./store/", "N"], ["Note"]),
            (["replay", "store", "--entity", "Per"], ["Person"]),
            (["tail", "--entity", "Per", "store"], ["store"]),
            (["compact", "store", "--except", "P"], ["Person=all", "Person=latest"]),
            (["query", "folder", ""], []),
            (["query", "none", ""], []),
        ])
    func `bash completes commands, files, values, and names of entities`(
        _ words: [String], _ expected: [String]
    ) throws {
        let store = try SampleStore()
        try FileManager.default.createDirectory(
            atPath: store.sibling("folder"), withIntermediateDirectories: true)
        for name in ["people.csv", "people.txt"] {
            try Data().write(to: URL(fileURLWithPath: store.sibling(name)))
        }
        #expect(try complete(words, in: store.folder.path, expecting: expected) == expected)
    }

    @Test(.enabled(if: ShellScript.isInstalled("bash"), "bash is not installed"))
    func `a completion changes no store and creates none`() throws {
        let store = try SampleStore()
        try store.put("Ada")
        let before = try store.files()
        // The test has the store open for writing.
        let found = try complete(
            ["query", "store", "P"], in: store.folder.path, expecting: ["Person"])
        #expect(found == ["Person"])
        #expect(try store.files() == before)
        #expect(try complete(["query", "other", "P"], in: store.folder.path) == [])
        let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
        #expect(names == ["store"])
        // A directory without the right to write.
        try store.close()
        #expect(try CommandProcess.run("verify", store.path).status == 0)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o555], ofItemAtPath: store.path)
        #expect(
            EntityCompletion.names(in: store.path, waitMilliseconds: 60_000) == ["Note", "Person"])
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: store.path)
    }

    @Test func `a damaged store or a foreign directory has no names`() throws {
        let folder = try ScratchFolder()
        try folder.add("CURRENT", "damaged")
        #expect(EntityCompletion.store(in: ["daybook", "query", folder.path]) == folder.path)
        #expect(EntityCompletion.names(in: folder.path) == [])
        #expect(EntityCompletion.store(in: ["daybook", "query", folder.path + "/none"]) == nil)
        #expect(try folder.names == ["CURRENT"])
    }

    @Test func `names that a shell would interpret are no completions`() {
        for name in ["Person", "Überweisung", "Line_2"] { #expect(name.isPlainWord) }
        for name in ["$(reboot)", "`reboot`", "a b", "a;b", "*", "~", "a'b", "a\nb"] {
            #expect(!name.isPlainWord)
        }
    }

    @Test func `a typed word is read as the shell reads it`() {
        #expect(ShellWord.text(of: "Store") == "Store")
        #expect(ShellWord.text(of: #"My\ Store"#) == "My Store")
        #expect(ShellWord.text(of: #""My 'own' Store""#) == "My 'own' Store")
        #expect(ShellWord.text(of: #"'My \Store"#) == #"My \Store"#)
        #expect(ShellWord.text(of: "") == "")
        let home = ProcessInfo.processInfo.environment["HOME"] ?? "~"
        #expect(ShellWord.text(of: "~/My\\ Store") == home + "/My Store")
        #expect(ShellWord.text(of: "'~/Store'") == "~/Store")
    }

    /// The directory of the store, the destinations, and every value with a fixed set of choices.
    @Test func `every argument that names a directory is completed with directories`() throws {
        let dump = try CommandProcess.run("--experimental-dump-help").output
        let object = try JSONSerialization.jsonObject(with: Data(dump.utf8))
        let root = try #require((object as? [String: Any])?["command"] as? [String: Any])
        let commands = try #require(root["subcommands"] as? [[String: Any]])
        var directories = 0
        for command in commands where command["commandName"] as? String != "help" {
            for argument in command["arguments"] as? [[String: Any]] ?? [] {
                let name = argument["valueName"] as? String ?? ""
                guard ["directory", "destination", "into"].contains(name) else { continue }
                let kind = argument["completionKind"] as? [String: Any]
                #expect(kind?["directory"] != nil, "\(command["commandName"] ?? "") \(name)")
                directories += 1
            }
        }
        #expect(directories == DaybookCommand.configuration.subcommands.count + 4)
    }
}
