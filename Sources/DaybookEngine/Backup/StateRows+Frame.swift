package import DaybookBytes
package import DaybookRecords
package import DaybookLog
package import DaybookPages

extension StateRows {
    /// Adds the rows of a frame to which the indexes of `reader` point.
    package mutating func add(
        _ frame: LogScanner.Frame, in reader: PageReader
    ) throws(DaybookError) {
        try frame.forEachRecord { record throws(DaybookError) in
            guard record.kind == .put else { return }
            try add(
                record, of: frame.payload.span,
                at: try frame.location(recordOffset: record.offset).rawValue, in: reader)
        }
    }
}
