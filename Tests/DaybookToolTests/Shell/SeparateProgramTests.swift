import Foundation
import Testing

@testable import DaybookCommand

/// Subcommands that are programs of their own.
@Suite struct SeparateProgramTests {
    private func run(
        _ arguments: [String], path: String, directory: String? = nil, input: Data? = nil
    ) throws -> CommandProcess.Outcome {
        try CommandProcess(
            arguments, environment: ["PATH": path], directory: directory, input: input
        ).finish()
    }

    @Test func `a program of PATH gets the remaining arguments and the input`() throws {
        let folder = try ScratchFolder()
        let program = try folder.add(
            "daybook-hello",
            """
            #!/bin/sh
            printf '%s\\n' "$0" "$#" "$@"
            /bin/cat
            echo problem >&2
            exit 7
            """, permissions: 0o755)
        let outcome = try run(
            ["hello", "--table", "two words", "", "-h"], path: folder.path, input: Data("in".utf8))
        #expect(outcome.status == 7)
        #expect(outcome.output == "\(program)\n4\n--table\ntwo words\n\n-h\nin")
        #expect(outcome.errors == "problem\n")
    }

    @Test func `a signal that ends the program ends the command`() throws {
        let folder = try ScratchFolder()
        try folder.add("daybook-hello", "#!/bin/sh\nkill -KILL $$\n", permissions: 0o755)
        #expect(try run(["hello"], path: folder.path).status == 128 + SIGKILL)
    }

    #if os(Linux)
    /// The command itself ignores SIGPIPE.
    @Test func `a program does not inherit that the command ignores closed pipes`() throws {
        let folder = try ScratchFolder()
        let program = try folder.add(
            "daybook-hello", "#!/bin/sh\nexec /bin/grep SigIgn: /proc/self/status\n",
            permissions: 0o755)
        let direct = try ShellScript.run("sh", [program], directory: folder.path)
        let outcome = try run(["hello"], path: folder.path)
        #expect(try ignoresBrokenPipes(outcome.output) == ignoresBrokenPipes(direct.output))
    }

    /// Whether the bit of SIGPIPE is set in a line such as `SigIgn:  0000000000001000`.
    private func ignoresBrokenPipes(_ line: String) throws -> Bool {
        let digits = try #require(line.split(whereSeparator: \.isWhitespace).last)
        return try #require(UInt64(digits, radix: 16)) & (1 << (UInt64(SIGPIPE) - 1)) != 0
    }
    #endif

    @Test func `only executable files in absolute folders of PATH are programs`() throws {
        let folder = try ScratchFolder()
        let script = "#!/bin/sh\necho wrong\n"
        try folder.add("text/daybook-hello", script)
        try folder.add("folder/daybook-hello/file", script, permissions: 0o755)
        try folder.add("daybook-hello", script, permissions: 0o755)
        try folder.add("relative/daybook-hello", script, permissions: 0o755)
        try folder.add("right/daybook-hello", "#!/bin/sh\necho right\n", permissions: 0o755)
        let path = ["text", "folder", "right"].map { folder.path + "/" + $0 }
        let outcome = try run(
            ["hello"], path: ":.:relative::" + path.joined(separator: ":"), directory: folder.path)
        #expect(outcome == CommandProcess.Outcome(status: 0, output: "right\n", errors: ""))
        #expect(SeparateProgram.folders(of: ":.:/a b:c:/d/:") == ["/a b", "/d/"])
        #expect(SeparateProgram.folders(of: "") == [])
    }

    @Test func `a program beside daybook precedes those of PATH`() throws {
        let folder = try ScratchFolder()
        try folder.add("path/daybook-hello", "#!/bin/sh\necho path\n", permissions: 0o755)
        try folder.add("beside/daybook-hello", "#!/bin/sh\necho beside\n", permissions: 0o755)
        let copy = URL(fileURLWithPath: folder.path + "/beside/daybook")
        try FileManager.default.copyItem(at: CommandProcess.program, to: copy)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link", withDestinationPath: copy.path)
        let script = """
            PATH='\(folder.path)/path'
            '\(copy.path)' hello && '\(folder.path)/link' hello
            """
        let outcome = try ShellScript.run("sh", ["-c", script], directory: folder.path)
        #expect(
            outcome == CommandProcess.Outcome(status: 0, output: "beside\nbeside\n", errors: ""))
    }

    @Test func `options, paths, and commands of daybook itself are never looked for`() throws {
        let folder = try ScratchFolder()
        let script = "#!/bin/sh\necho wrong\n"
        for name in ["daybook--hello", "daybook-", "daybook-sub/hello", "daybook-stats"] {
            try folder.add(name, script, permissions: 0o755)
        }
        for word in ["--hello", "", "sub/hello"] {
            let outcome = try run([word], path: folder.path)
            #expect(outcome.status == 2, "\(word)")
            #expect(outcome.output == "")
        }
        #expect(try run(["stats", "--help"], path: folder.path).output.contains("USAGE: daybook"))
        for word in ["-h", "", "a/b", "/a"] { #expect(SeparateProgram(word) == nil) }
    }

    @Test(arguments: [
        ("archive", "Replication"), ("replicate", "Replication"), ("browse", "Browser"),
    ])
    func `a missing program of the project is named with the package that builds it`(
        _ command: String, _ package: String
    ) throws {
        let outcome = try run([command, "push"], path: "/nowhere")
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("daybook: The program daybook-\(command) is not"))
        #expect(
            outcome.errors.contains("--package-path \(package) --product daybook-\(command)'"))
    }

    @Test func `a word without a program is wrong usage`() throws {
        let outcome = try run(["hello"], path: "/nowhere")
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains("Unexpected argument 'hello'"), "\(outcome.errors)")
    }

    @Test func `a program that the system cannot run is an error`() throws {
        let folder = try ScratchFolder()
        let path = try folder.add("daybook-hello", "\u{0}\u{1}", permissions: 0o755)
        let outcome = try run(["hello"], path: folder.path)
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(outcome.errors.hasPrefix("daybook: "))
        #expect(outcome.errors.contains(path), "\(outcome.errors)")
    }

    @Test func `the help lists the separate programs`() throws {
        let help = try CommandProcess.run("--help").output
        for command in ["archive", "replicate", "browse"] {
            #expect(help.contains("\n  \(command) "))
        }
    }
}
