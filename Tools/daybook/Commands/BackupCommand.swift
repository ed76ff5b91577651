import ArgumentParser
import DaybookBytes
import DaybookEngine

/// `daybook backup`.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Backs up a store to another directory; the next backup adds only new data.",
        discussion: """
            Another process may have the store open for writing. The backup contains every \
            transaction up to the printed sequence. All reading commands can open it; 'daybook \
            restore' makes a store of it. The previous backup stays valid until the new one is \
            complete.

            Examples:
              daybook backup Store Backup
              daybook backup Store Backup --no-verify-all
            """)

    @OptionGroup var common: CommonOptions

    @Argument(
        help: "The directory of the backup: missing, empty, or an earlier backup.",
        completion: .directory)
    var destination: String

    @Flag(
        name: .customLong("verify-all"), inversion: .prefixedNo,
        help: "Also verify the existing files of the backup; new files are always verified.")
    var verifiesAll = true

    func validate() throws {
        guard !destination.isEmpty else {
            throw ValidationError("The path of the backup is an empty string; name a directory.")
        }
    }

    func run() throws {
        try common.perform("backup") { run in
            let outcome = try common.openForReading().backup(
                to: destination, verifiesAll: verifiesAll, run.control)
            try run.line { text throws(DaybookError) in
                text.beginObject()
                text.member("store", String(describing: outcome.store))
                text.member("directory", destination)
                text.member("sequence", outcome.sequence)
                if let previous = outcome.previousSequence {
                    text.member("previousSequence", previous)
                }
                text.member("segments", outcome.segmentCount)
                text.member("linked", outcome.segments.linkedCount)
                text.member("copied", outcome.segments.copiedCount)
                text.member("kept", outcome.segments.keptCount)
                text.member("copiedBytes", outcome.segments.copiedBytes)
                text.member("bytes", outcome.lengthBytes)
                text.endObject()
            }
            if let failure = outcome.consumerFailure { CommandRun.report(failure.message) }
            try run.say("\(destination) contains the history up to sequence \(outcome.sequence).")
        }
    }
}
