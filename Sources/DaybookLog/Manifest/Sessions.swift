import DaybookBytes

/// The sessions that wrote the transactions of a store, in ascending order.
///
/// A session is one opening for writing that made a commit. Its identity is random, and it is in
/// the manifest before its first commit is in the log. Only one directory contains the writer of a
/// session, so all transactions of a session have one past. Two logs of the same store therefore
/// share the transactions up to a sequence if both name the same session for it, whatever their
/// compactions dropped.
///
/// The number of sessions is bounded: the oldest ones are forgotten, and the sessions of their
/// transactions are unknown from then on.
package struct Sessions: Equatable, Sendable {
    /// One opening for writing, and the first sequence that it wrote.
    package struct Session: Equatable, Sendable {
        package var identity: UInt64
        package var firstSequence: UInt64

        package init(identity: UInt64, firstSequence: UInt64) {
            self.identity = identity
            self.firstSequence = firstSequence
        }

        /// Represents the creation of the store. A restoration creates a store with transactions.
        static let creation = Session(identity: 0, firstSequence: 0)
    }

    /// The result of a comparison of the sessions that wrote one transaction.
    package enum Comparison: Sendable {
        /// All transactions up to this one are the same.
        case same
        /// The transaction, and perhaps earlier ones, are different ones with the same sequence.
        case different
        /// The session was forgotten.
        case unknown
    }

    /// The number of sessions that are kept. A higher value allows to compare older backups, and
    /// makes manifests longer: a session takes about 10 bytes.
    package static let countMax = 1_024

    package private(set) var kept: [Session] = []
    /// Whether sessions before those in ``kept`` were forgotten.
    package private(set) var isShortened = false

    package init() {}

    /// Adds the session that writes the next transaction. Removes sessions that began at this
    /// sequence or later and whose transactions a crash undid.
    package mutating func begin(_ session: Session) {
        kept.removeAll { $0.firstSequence >= session.firstSequence }
        kept.append(session)
        guard kept.count > Self.countMax else { return }
        kept.removeFirst(kept.count - Self.countMax)
        isShortened = true
    }

    /// The sessions of the transactions up to a sequence.
    package func until(_ sequence: UInt64) -> Sessions {
        var sessions = self
        sessions.kept.removeAll { $0.firstSequence > sequence }
        return sessions
    }

    /// Whether two logs of one store share the transactions up to a sequence, which both contain.
    package func comparison(with other: Sessions, at sequence: UInt64) -> Comparison {
        guard let one = session(of: sequence), let another = other.session(of: sequence) else {
            return .unknown
        }
        return one == another ? .same : .different
    }

    /// The session that wrote a transaction; nil if it was forgotten.
    func session(of sequence: UInt64) -> Session? {
        kept.last { $0.firstSequence <= sequence } ?? (isShortened ? nil : .creation)
    }
}

extension Sessions {
    /// Returns nil for a list that is not in ascending order.
    init?(reading reader: inout ByteReader) throws(DaybookError) {
        switch try reader.uint8() {
        case 0: break
        case 1: isShortened = true
        default: return nil
        }
        var last: UInt64 = 0
        for _ in 0..<(try reader.length()) {
            let (first, overflows) = last.addingReportingOverflow(try reader.varint())
            guard first > last, !overflows else { return nil }
            kept.append(Session(identity: try reader.uint64(), firstSequence: first))
            last = first
        }
    }

    func write(to writer: inout ByteWriter) {
        writer.uint8(isShortened ? 1 : 0)
        writer.varint(UInt64(kept.count))
        var last: UInt64 = 0
        for session in kept {
            writer.varint(session.firstSequence &- last)
            writer.uint64(session.identity)
            last = session.firstSequence
        }
    }
}
