package import DaybookBytes
package import DaybookRecords
package import DaybookLog
package import DaybookPages

extension StateRows {
    /// Counts the rows of a frame that the indexes of `reader` lead to.
    package mutating func add(
        _ frame: LogScanner.Frame, in reader: PageReader
    ) throws(DaybookError) {
        try add(
            frame.payload.span, in: reader,
            location: { offset throws(DaybookError) in
                try frame.location(recordOffset: offset).rawValue
            })
    }
}
