// DaybookCommand: the program `daybook`. It parses a command line, calls one function of the engine
// and prints the result. It must not depend on entity types: the schema in the log decodes rows.
//
// Invariants:
// - Standard output receives only JSON lines, or a table if the user requests one.
// - Messages and the progress bar go to standard error, and only if it is a terminal. Error
//   messages always go there.
// - A reading command changes no byte of the store, even if it is interrupted.

import ArgumentParser
import DaybookBytes

/// The root of the command line.
@main
struct DaybookCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daybook",
        abstract: "Inspects, queries, verifies, compacts and backs up stores of Daybook.",
        discussion: """
            Results are JSON lines on standard output. Exit codes: 0 success, 1 failure, 2 wrong \
            usage, 3 corruption found, 4 repairable, 5 locked by another process, 6 written by a \
            newer release, 7 no match (with --fail-empty), 130 interrupted.

            Any other subcommand is a program of its own: 'daybook NAME' runs 'daybook-NAME', \
            beside this program or in a folder of PATH. Separate packages build these:
              archive                 Archives stores in an object storage.
              replicate               Follows and takes over the logs of other machines.
              browse                  Shows stores in a browser.
            """,
        subcommands: [
            QueryCommand.self, ReplayCommand.self, CompactCommand.self, VerifyCommand.self,
            StatsCommand.self, TailCommand.self, BackupCommand.self, RestoreCommand.self,
            DumpCommand.self, LoadCommand.self, ImportCommand.self, ExportCommand.self,
            RepairCommand.self, EraseCommand.self,
        ])

    /// Runs the command that the arguments name and ends the process with its exit status.
    static func main() {
        runSeparateProgram(CommandLine.arguments.dropFirst())
        ProcessSignals.ignoreBrokenPipes()
        StandardDescriptor.reserveClosed()
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let error as DaybookError {
            end(after: error)
        } catch let status as ExitStatus {
            exit(withError: status.code)
        } catch {
            end(parsing: error)
        }
    }

    /// Runs the separate program that the first argument names, which ends this one. Returns if the
    /// argument is a command of this program, or no program has its name. Called before any setting
    /// of this process changes, because the separate program would inherit it.
    private static func runSeparateProgram(_ arguments: ArraySlice<String>) {
        guard let word = arguments.first, !isBuiltIn(word), let program = SeparateProgram(word)
        else { return }
        if let path = program.find() {
            end(after: program.run(at: path, arguments: arguments.dropFirst()))
        }
        guard let remedy = program.remedy else { return }
        CommandRun.report(remedy)
        exit(withError: ExitStatus.failure.code)
    }

    private static func isBuiltIn(_ word: String) -> Bool {
        word == "help"
            || configuration.subcommands.contains { $0.configuration.commandName == word }
    }

    private static func end(after error: DaybookError) -> Never {
        CommandRun.report(ErrorText.text(of: error))
        exit(withError: ExitStatus(error).code)
    }

    /// Prints help to standard output. Reports every other error of the parser as wrong usage.
    private static func end(parsing error: any Error) -> Never {
        let text = fullMessage(for: error)
        let isHelp = exitCode(for: error).isSuccess
        let stream = isHelp ? StandardStream.output : .error
        let shown = isHelp ? text : ErrorText.printable(text)
        try? stream.write(Array((shown + "\n").utf8).span)
        exit(withError: (isHelp ? ExitStatus.success : .usage).code)
    }
}
