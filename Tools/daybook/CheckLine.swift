import DaybookBytes
import DaybookEngine

/// `replay --check`: whether the log gives the state that the store opens with.
struct CheckLine {
    let engine: Engine
    let run: CommandRun

    /// Throws ``ExitStatus/corruption`` after the line if it does not.
    func write() throws {
        let check = try engine.checkFold(run.control)
        try run.line { text throws(DaybookError) in
            text.beginObject()
            text.member("sequence", check.sequence)
            text.member("foldedHash", hash: check.foldedHash)
            text.member("liveHash", hash: check.liveHash)
            text.member("equal", isTrue: check.isEqual)
            text.endObject()
        }
        try run.finish()
        guard check.isEqual else { throw ExitStatus.corruption }
        run.say("The log and the state agree at sequence \(check.sequence).")
    }
}
