import ArgumentParser
import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookMaintenance

/// `daybook verify`.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verifies every byte of a store, and changes none.",
        discussion: """
            Prints one line per finding and one for the outcome. Exits with status 3 if stored \
            bytes differ from the written ones, and with 4 if the next opening for writing repairs \
            all findings.

            Examples:
              daybook verify Store
              daybook verify Backup > report.jsonl && echo sound
            """)

    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.perform("verify") { run in
            let report = try Engine.verify(common.directory, RealFileSystem(), run.control)
            let words: String
            switch report.severity {
            case .corruption:
                run.status = .corruption
                words =
                    "The store is damaged. Nothing was changed. 'daybook repair' builds a new store"
                    + " from the intact data."
            case .repairable:
                run.status = .repairable
                words = "No data is in danger. The next opening for writing repairs the store."
            case .note, nil:
                words = "The store is undamaged."
            }
            for finding in report.findings {
                try run.line { text throws(DaybookError) in Self.write(finding, to: &text) }
            }
            try run.line { text throws(DaybookError) in Self.write(report, to: &text) }
            try run.say(words)
        }
    }

    private static func write(
        _ finding: VerificationReport.Finding, to text: inout JSONText
    ) {
        text.beginObject()
        text.member("finding", finding.severity.rawValue)
        text.member("subject", finding.subject)
        text.member("message", finding.message)
        if !finding.details.isEmpty {
            text.name("details")
            text.beginObject()
            for (key, value) in finding.details.sorted(by: { $0.key < $1.key }) {
                text.member(key, value)
            }
            text.endObject()
        }
        text.endObject()
    }

    private static func write(_ report: VerificationReport, to text: inout JSONText) {
        text.beginObject()
        switch report.severity {
        case .corruption: text.member("outcome", "corruption")
        case .repairable: text.member("outcome", "repairable")
        case .note, nil: text.member("outcome", "sound")
        }
        text.member("sequence", report.sequence)
        text.member("segments", report.segmentCount)
        text.member("frames", report.frameCount)
        text.member("records", report.recordCount)
        text.member("transactions", report.transactionCount)
        text.member("rows", report.rowCount)
        text.member("objects", report.objectCount)
        text.member("snapshots", report.snapshotCount)
        if let hash = report.stateHash {
            text.member("stateHash", hash: hash)
        } else {
            text.name("stateHash")
            text.null()
        }
        text.endObject()
    }
}
