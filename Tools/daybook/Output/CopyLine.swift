import DaybookBytes
import DaybookEngine
import DaybookMaintenance

/// Runs `replay --into`: builds a new store with the history up to a point.
struct CopyLine {
    let engine: Engine
    let run: CommandRun

    func write(_ path: String, until point: HistoryPoint?) throws(DaybookError) {
        let report = try engine.copy(into: path, until: point, run.control)
        try run.line { text throws(DaybookError) in
            text.beginObject()
            text.member("store", String(describing: report.store))
            text.member("directory", path)
            text.member("sequence", report.sequence)
            text.member("segments", report.segmentCount)
            text.member("records", report.recordCount)
            text.member("bytes", report.lengthBytes)
            text.member("stateHash", hash: report.stateHash)
            text.endObject()
        }
        try run.say("Built \(path) with the history up to sequence \(report.sequence).")
    }
}
