public import Daybook

extension DaybookError.Code {
    /// Messages of an event stream were removed before a collector has read them.
    public static let eventsMissing = DaybookError.Code(rawValue: "eventsMissing")
    /// An event stream is not the one that a collector has read before.
    public static let eventStreamReplaced = DaybookError.Code(rawValue: "eventStreamReplaced")
}

extension DaybookError {
    static func eventsMissing(
        stream: String, after last: UInt64, first: UInt64
    ) -> DaybookError {
        DaybookError(
            .eventsMissing,
            "The messages between \(last) and \(first) of the stream \(stream) were removed before"
                + " they were collected. Their events may still be in the stores of the devices. To"
                + " continue without them, set acceptsMissingMessages.",
            details: ["stream": stream, "after": String(last), "first": String(first)])
    }

    static func eventStreamReplaced(_ known: CollectedStream, _ state: EventStreamState)
        -> DaybookError
    {
        DaybookError(
            .eventStreamReplaced,
            "The stream \(known.name) was created at \(state.creationTime), and the one whose"
                + " messages up to \(known.sequence) are collected at \(known.creationTime). If it"
                + " replaces that one, remove the CollectedStream object of the name; events that"
                + " are collected already are skipped.",
            details: ["stream": known.name, "sequence": String(known.sequence)])
    }
}
