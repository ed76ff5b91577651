import DaybookBytes

extension DaybookError {
    /// An error for damage in a segment, with its position.
    static func corruption(
        segment: UInt64, offset: Int, after sequence: UInt64? = nil, _ why: String
    ) -> DaybookError {
        var details = ["segment": String(segment), "offset": String(offset)]
        var place = "segment \(segment) at byte \(offset)"
        if let sequence {
            details["sequence"] = String(sequence)
            place += ", after sequence \(sequence)"
        }
        return DaybookError(
            .corruption,
            "The log is damaged in \(place): \(why). Nothing was changed. Restore a backup, or save"
                + " everything that is intact with 'daybook repair DIR --into NEW'.",
            details: details)
    }

    /// An error for a file of a newer release that this one cannot read.
    static func formatTooNew(found version: UInt16, file: String) -> DaybookError {
        DaybookError(
            .formatTooNew,
            "\(file) has format \(version); this release reads up to \(LogFormat.version)."
                + " Open the store with the newer release of Daybook that wrote it.",
            details: ["format": String(version), "file": file])
    }
}
