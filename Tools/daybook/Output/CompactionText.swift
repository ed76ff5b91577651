import DaybookBytes
import DaybookEngine

/// Writes the report of a compaction, planned or done, as JSON lines and as messages.
enum CompactionText {
    static func write(
        _ report: CompactionReport, isDryRun: Bool, to run: CommandRun
    ) throws(DaybookError) {
        for segment in report.segments {
            try run.line { text throws(DaybookError) in
                text.beginObject()
                text.member("segment", segment.number)
                text.member("firstSequence", segment.firstSequence)
                text.member("lastSequence", segment.lastSequence)
                text.member("bytes", segment.lengthBytes)
                text.member("rawBytes", segment.rawBytes)
                text.member("records", segment.recordCount)
                text.member("keptRecords", segment.keptRecordCount)
                text.member("keptRawBytes", segment.keptRawBytes)
                text.member("droppedTombstones", segment.droppedTombstoneCount)
                text.member("keptTombstones", segment.keptTombstoneCount)
                text.member("droppedEvents", segment.droppedEventCount)
                text.member("reason", segment.reason)
                text.endObject()
            }
        }
        try run.line { text throws(DaybookError) in
            text.beginObject()
            text.member("history", report.policy.rule.description)
            if !report.policy.entities.isEmpty {
                text.name("except")
                text.beginObject()
                for (name, rule) in report.policy.entities.sorted(by: { $0.key < $1.key }) {
                    text.member(name, rule.description)
                }
                text.endObject()
            }
            text.member("dryRun", isTrue: isDryRun)
            text.member("bytesBefore", report.bytesBefore)
            text.name("bytesAfter")
            if let after = report.bytesAfter { text.integer(after) } else { text.null() }
            text.member("heldBytes", report.heldBytes)
            text.name("retainingConsumers")
            text.beginArray()
            for name in report.retainingConsumers { text.string(name) }
            text.endArray()
            text.member("droppedRecords", report.droppedRecordCount)
            text.member("historyFloor", report.historyFloor)
            text.endObject()
        }
    }

    static func say(
        _ report: CompactionReport, isDryRun: Bool, to run: CommandRun
    ) throws(DaybookError) {
        if !report.retainingConsumers.isEmpty {
            try run.say(
                "History is kept for consumers that have not acknowledged it:"
                    + " \(report.retainingConsumers.joined(separator: ", ")). Use"
                    + " --ignore-consumers to drop it.")
        }
        if isDryRun {
            for segment in report.segments {
                try run.say(
                    "Segment \(segment.number), sequences \(segment.firstSequence) to"
                        + " \(segment.lastSequence), \(segment.lengthBytes) bytes:"
                        + " \(segment.reason).")
            }
            try run.say(
                "\(report.droppedRecordCount) records would be dropped. Nothing was changed.")
        } else {
            if report.heldBytes > 0 {
                try run.say(
                    "Readers still use \(report.heldBytes) bytes of replaced files. Their space is"
                        + " released when the readers end.")
            }
            let after = report.bytesAfter ?? report.bytesBefore
            try run.say(
                "\(report.bytesBefore) -> \(after) bytes;"
                    + " \(report.droppedRecordCount) records were dropped.")
        }
    }
}
