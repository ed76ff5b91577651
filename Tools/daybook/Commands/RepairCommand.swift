import ArgumentParser
import DaybookBytes
import DaybookEngine
import DaybookMaintenance
import DaybookRecords

/// `daybook repair`.
struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Builds a new store from everything that is intact in a damaged one.",
        discussion: """
            The damaged store does not change; close it in all programs before. Prints a line for \
            each damaged place and for each known loss, and one for the new store. Exits with \
            status 3 if data was lost, and with 0 if the new store is complete.

            Examples:
              daybook repair Store --into Repaired
              daybook repair Store --into Repaired --whole-transactions
            """)

    @OptionGroup var common: CommonOptions

    @Option(help: "The directory of the new store: empty or missing.", completion: .directory)
    var into: String

    @Flag(help: "Leave out commits that lost a part, instead of saving the rest of them.")
    var wholeTransactions = false

    func validate() throws {
        guard !into.isEmpty else {
            throw ValidationError("The path of the new store is an empty string; name a directory.")
        }
    }

    func run() throws {
        try common.perform("repair") { run in
            let report = try Engine.repair(
                common.directory, into: into, RealFileSystem(),
                keepsIncomplete: !wholeTransactions, run.control)
            if report.losesData { run.status = .corruption }
            for damage in report.damages { try run.line { Self.write(damage, to: &$0) } }
            for note in report.notes {
                try run.line { text in
                    text.beginObject()
                    text.member("note", note)
                    text.endObject()
                }
            }
            for object in report.lostObjects { try run.line { Self.write(object, to: &$0) } }
            for link in report.lostLinks { try run.line { Self.write(link, to: &$0) } }
            try run.line { write(report, to: &$0) }
            try run.say(
                report.losesData
                    ? "Built \(into) from the intact data. The lines above list the losses."
                    : "Built \(into). No data was lost.")
        }
    }

    private static func write(_ damage: RepairReport.Damage, to text: inout JSONText) {
        text.beginObject()
        text.member("damage", damage.file)
        text.member("from", damage.bytes.lowerBound)
        text.member("to", damage.bytes.upperBound)
        text.member("reason", damage.reason)
        if let lost = damage.lostSequences {
            text.member("lostFrom", lost.lowerBound)
            text.member("lostTo", lost.upperBound)
        }
        if !damage.incompleteSequences.isEmpty {
            text.name("incomplete")
            text.beginArray()
            for sequence in damage.incompleteSequences { text.integer(sequence) }
            text.endArray()
        }
        text.endObject()
    }

    private static func write(_ object: RepairReport.LostObject, to text: inout JSONText) {
        text.beginObject()
        text.member("lostObject", object.entity)
        text.member("id", object.id)
        if let lost = object.lostSequence { text.member("lost", lost) }
        if let kept = object.keptSequence { text.member("kept", kept) }
        text.endObject()
    }

    private static func write(_ link: RepairReport.LostLink, to text: inout JSONText) {
        text.beginObject()
        text.member("lostLink", link.relation)
        text.member("source", link.source)
        text.member("target", link.target)
        text.endObject()
    }

    private func write(_ report: RepairReport, to text: inout JSONText) {
        text.beginObject()
        text.member("outcome", report.losesData ? "incomplete" : "complete")
        text.member("directory", into)
        text.member("sequence", report.sequence)
        text.member("transactions", report.transactionCount)
        text.member("objects", report.objectCount)
        text.member("bytes", report.lengthBytes)
        if !report.lostLayouts.isEmpty {
            text.name("lostLayouts")
            text.beginArray()
            for layout in report.lostLayouts { text.integer(layout) }
            text.endArray()
        }
        if report.undecodableRowCount > 0 {
            text.member("undecodableRows", report.undecodableRowCount)
        }
        text.endObject()
    }
}
