/// The findings of a verification, and the counts of what it read.
public struct VerificationReport: Sendable, Equatable {
    /// The severity of a finding, in rising order.
    public enum Severity: String, Sendable, Comparable {
        /// Information; nothing needs to be done.
        case note
        /// No data is in danger; the next opening for writing repairs it.
        case repairable
        /// Stored bytes differ from the written bytes, or cannot be read.
        case corruption

        private var rank: Int {
            switch self {
            case .note: 0
            case .repairable: 1
            case .corruption: 2
            }
        }

        /// Orders severities from `note` to `corruption`.
        public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
    }

    /// A finding.
    public struct Finding: Sendable, Equatable {
        /// The severity of the finding.
        public var severity: Severity
        /// The name of the file, or `log`, `state` or `manifest`.
        public var subject: String
        /// The finding and the remedy, for a person.
        public var message: String
        /// The names and numbers of ``message`` as data.
        public var details: [String: String]
    }

    /// The findings in the order of the verification; empty for a sound store.
    public var findings: [Finding] = []
    /// The sequence of the last commit; 0 if the log could not be opened.
    public var sequence: UInt64 = 0
    /// The number of segments.
    public var segmentCount = 0
    /// The number of frames that were decompressed.
    public var frameCount = 0
    /// The number of records that were decoded.
    public var recordCount = 0
    /// The number of transactions.
    public var transactionCount = 0
    /// The number of rows of which every field was decoded.
    public var rowCount = 0
    /// The number of objects in the state.
    public var objectCount = 0
    /// The number of snapshots that were compared with the log.
    public var snapshotCount = 0
    /// The hash of the state; nil if the replayed log and the live state differ or could not be
    /// compared.
    public var stateHash: UInt64?

    /// The highest severity of the findings; nil or `.note` for a sound store.
    public var severity: Severity? { findings.map(\.severity).max() }

    mutating func add(
        _ severity: Severity, _ subject: String, _ message: String,
        _ details: [String: String] = [:]
    ) {
        findings.append(
            Finding(severity: severity, subject: subject, message: message, details: details))
    }
}
