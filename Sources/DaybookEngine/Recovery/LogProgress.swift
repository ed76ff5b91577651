package import DaybookLog

/// Converts a position in the log to the fraction of the log before it.
package struct LogProgress {
    private var startBytes: [UInt64: Int] = [:]
    private var totalBytes = 0

    package init(_ log: Log) {
        for entry in log.entries {
            startBytes[entry.number] = totalBytes
            totalBytes += entry.length
        }
    }

    /// The part of the log that ends with a frame, 0 to 1.
    package func fraction(at frame: LogScanner.Frame) -> Double {
        guard totalBytes > 0, let start = startBytes[frame.segment] else { return 0 }
        return Double(start + frame.end) / Double(totalBytes)
    }
}
