public import Daybook

extension DaybookError.Code {
    /// An object storage cannot be reached, or refused a request for a reason that the message
    /// names. Nothing is lost; try again.
    public static let storageUnavailable = DaybookError.Code(rawValue: "storageUnavailable")
    /// The place contains no archive.
    public static let archiveNotFound = DaybookError.Code(rawValue: "archiveNotFound")
    /// The archive does not have the requested commits, or not all that are needed for them.
    public static let archiveIncomplete = DaybookError.Code(rawValue: "archiveIncomplete")
}

extension DaybookError {
    static func archiveNotFound(_ archive: String) -> DaybookError {
        DaybookError(
            .archiveNotFound,
            "\(archive) contains no archive. Check the location, or archive a store there first.",
            details: ["archive": archive])
    }

    static func archiveOfOther(_ archive: String, _ found: String, not store: String)
        -> DaybookError
    {
        DaybookError(
            .historyOfAnotherStore,
            "\(archive) is the archive of the store \(found), not of \(store). Use another"
                + " location for each store.",
            details: ["archive": archive, "store": found])
    }

    static func damaged(_ key: String, in archive: String, _ reason: String) -> DaybookError {
        DaybookError(
            .corruption,
            "The object \(key) in \(archive) is damaged: \(reason). Restore an earlier moment, or"
                + " archive the store at another location.",
            details: ["archive": archive, "key": key])
    }

    static func tooNew(_ key: String, in archive: String, version: Int) -> DaybookError {
        DaybookError(
            .formatTooNew,
            "The object \(key) in \(archive) has the format \(version), which a newer release"
                + " wrote. Use that release.",
            details: ["archive": archive, "key": key, "format": String(version)])
    }

    static func missing(_ archive: String, after sequence: UInt64) -> DaybookError {
        DaybookError(
            .archiveIncomplete,
            "\(archive) has no transaction \(sequence + 1). Use a moment that 'daybook-archive"
                + " status' lists.",
            details: ["archive": archive, "sequence": String(sequence + 1)])
    }

    static func diverged(_ archive: String, at sequence: UInt64) -> DaybookError {
        DaybookError(
            .historyOfAnotherStore,
            "\(archive) has another history than this store from sequence \(sequence) on: another"
                + " copy of the store committed, or this copy lost commits. Nothing was changed."
                + " Archive this store at another location.",
            details: ["archive": archive, "sequence": String(sequence)])
    }
}
