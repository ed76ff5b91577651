import ArgumentParser
import DaybookBytes
import DaybookEngine

/// `daybook backup`.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Keeps a copy of a store in another directory; again: adds what is new.",
        discussion: """
            The store may be open for writing elsewhere. The backup has every transaction up to \
            the sequence that is printed. It opens for reading with every command, and becomes a \
            store by 'daybook restore'. The backup before stays whole until the new one is.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: "The directory of the backup: new, empty, or the same.", completion: .directory)
    var destination: String

    @Flag(
        name: .customLong("verify-all"), inversion: .prefixedNo,
        help: "Read again what the backup has already; what is new always is.")
    var verifiesAll = true

    func validate() throws {
        guard !destination.isEmpty else {
            throw ValidationError("Name the directory of the backup; '' names none.")
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
            try run.say("\(destination) has all up to sequence \(outcome.sequence).")
        }
    }
}
