import DaybookBytes
import DaybookRecords

/// The first line of a dump.
struct DumpHead {
    let sequence: UInt64
    /// The commit time of the last transaction; 0 in a history, in which each transaction has a
    /// time.
    let timeMicroseconds: Int64
    let historyFloor: UInt64
    /// Whether the lines are the records of a history, not the objects of a state.
    let isHistory: Bool

    init(_ line: Span<UInt8>) throws(DaybookError) {
        var json = JSONReader(line)
        try json.beginObject()
        isHistory = try json.hasMember("history")
        if !isHistory { try json.member("dump") }
        let version: Int = try json.integer()
        guard version == DumpFormat.version else {
            throw DaybookError(
                version > DumpFormat.version ? .formatTooNew : .dumpInvalid,
                "the dump has format \(version); this release reads format \(DumpFormat.version)")
        }
        try json.member("sequence")
        sequence = try json.integer()
        guard sequence < RecordFormat.sequenceMax else {
            throw json.problem("\(sequence) is not a sequence")
        }
        if isHistory {
            try json.member("historyFloor")
            historyFloor = try json.integer()
            timeMicroseconds = 0
            guard historyFloor <= sequence else {
                throw json.problem("the history floor is after the last transaction")
            }
        } else {
            try json.member("time")
            timeMicroseconds = try json.integer()
            historyFloor = sequence
        }
        try json.endObject()
        try json.end()
    }
}
