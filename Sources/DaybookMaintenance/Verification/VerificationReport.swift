/// What a look at every byte of a store found.
package struct VerificationReport: Sendable {
    /// How bad a finding is.
    package enum Severity: String, Sendable, Comparable {
        /// Nothing to do: it is said for completeness.
        case note
        /// No data is in danger; the next opening for writing mends it.
        case repairable
        /// Stored bytes are not what was written.
        case corruption

        private var rank: Int {
            switch self {
            case .note: 0
            case .repairable: 1
            case .corruption: 2
            }
        }

        package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
    }

    /// One thing that was found.
    package struct Finding: Sendable, Equatable {
        package var severity: Severity
        /// The file, or `log`, `state`.
        package var subject: String
        /// What it is and what to do about it.
        package var message: String
        /// The names and numbers of the message as data.
        package var details: [String: String]
    }

    package var findings: [Finding] = []
    /// The last transaction; 0 where the log could not be opened.
    package var sequence: UInt64 = 0
    package var segmentCount = 0
    package var frameCount = 0
    package var recordCount = 0
    package var transactionCount = 0
    /// Rows of which every field was decoded.
    package var rowCount = 0
    /// Objects that live.
    package var objectCount = 0
    /// Snapshots that were compared with the log.
    package var snapshotCount = 0
    /// The hash of the state, where fold and live state agree.
    package var stateHash: UInt64?

    /// The worst of the findings; nil or `.note` for a sound store.
    package var severity: Severity? { findings.map(\.severity).max() }

    mutating func add(
        _ severity: Severity, _ subject: String, _ message: String,
        _ details: [String: String] = [:]
    ) {
        findings.append(
            Finding(severity: severity, subject: subject, message: message, details: details))
    }
}
