import DaybookBytes
import DaybookEngine
import DaybookMaintenance

/// Runs `replay --check`: compares a replay of the log with the state that the store opens with.
struct CheckLine {
    let engine: Engine
    let run: CommandRun

    /// Writes the result. Sets the exit status to ``ExitStatus/corruption`` if the states differ.
    func write() throws(DaybookError) {
        let check = try engine.checkReplay(run.control)
        if !check.isEqual { run.status = .corruption }
        try run.line { text throws(DaybookError) in
            text.beginObject()
            text.member("sequence", check.sequence)
            text.member("foldedHash", hash: check.foldedHash)
            text.member("liveHash", hash: check.liveHash)
            text.member("equal", isTrue: check.isEqual)
            text.endObject()
        }
        try run.say(
            check.isEqual
                ? "The log and the state are equal at sequence \(check.sequence)."
                : "The replayed log differs from the opened state. Run 'daybook verify'."
        )
    }
}
