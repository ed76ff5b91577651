internal import NIOCore

extension Duration {
    /// The longest time limit. A longer one has the same effect for a program.
    private static let limitMax = Duration.seconds(366 * 24 * 3600)

    /// The duration between zero and a year.
    var limited: Duration { Swift.min(Swift.max(self, .zero), Self.limitMax) }

    /// The duration between zero and a year, as a delay of the event loop.
    var delay: TimeAmount { TimeAmount(limited) }

    /// The count of nanoseconds, limited to the range of the type.
    var nanosecondCount: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isOver) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflowed || isOver ? (seconds < 0 ? .min : .max) : sum
    }
}
