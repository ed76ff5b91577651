// CommandSupport: the parts that the commands of this package share.

package import ArgumentParser
package import Daybook
import Foundation

/// The lines on standard output.
package enum Output {
    /// Writes a value as one JSON line.
    package static func print(_ line: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(line) else { return }
        FileHandle.standardOutput.write(data + Data("\n".utf8))
    }
}

extension ParsableCommand {
    /// Parses the arguments and runs the command. Ends the process with 1 for a failure, 2 for
    /// wrong usage, and 130 for an interruption.
    package static func runMain(
        isFailure: @Sendable (any Error) -> Bool
    ) async {
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch is CancellationError {
            exit(withError: ExitCode(130))
        } catch let code as ExitCode {
            exit(withError: code)
        } catch  where error is DaybookError || isFailure(error) {
            let name = configuration.commandName ?? ""
            FileHandle.standardError.write(Data("\(name): \(error)\n".utf8))
            exit(withError: ExitCode(1))
        } catch  where exitCode(for: error) == .failure {
            // An error that is neither one of Daybook nor one of the command line.
            FileHandle.standardError.write(
                Data("\(configuration.commandName ?? ""): \(error)\n".utf8))
            exit(withError: ExitCode(1))
        } catch {
            let isHelp = exitCode(for: error).isSuccess
            let text = fullMessage(for: error) + "\n"
            (isHelp ? FileHandle.standardOutput : .standardError).write(Data(text.utf8))
            exit(withError: isHelp ? ExitCode.success : ExitCode(2))
        }
    }
}

extension HistoryMoment {
    /// Parses a sequence, or a time in ISO 8601, such as 2026-03-01T12:00:00Z.
    package static func parse(argument: String) throws -> HistoryMoment {
        if let sequence = UInt64(argument) { return .sequence(sequence) }
        guard let date = try? Date(argument, strategy: .iso8601) else {
            throw ValidationError(
                "'\(argument)' is no moment. Use a sequence, or a time such as"
                    + " 2026-03-01T12:00:00Z.")
        }
        return .date(date)
    }
}

/// A time in microseconds since 1970 as text in ISO 8601.
package func timeText(microseconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(microseconds) / 1e6).formatted(.iso8601)
}
