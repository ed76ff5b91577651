import Synchronization

/// The last commits that authors can undo and redo, as far as they are known, so that the log is
/// not read again for each question.
final class LastCommits: Sendable {
    /// An answer that is right up to a version.
    struct Answer: Sendable {
        /// The last commit of the version.
        var through: UInt64
        /// Nil if there is no such commit.
        var sequence: UInt64?
    }

    private struct Author {
        var answers: [UndoStep: Answer] = [:]
        /// The author has no commit up to this one.
        var start: UInt64 = 0
    }

    private let authors = Mutex<[String: Author]>([:])
    /// The maximum number of authors to remember. Beyond it, all are forgotten.
    private static let authorCountMax = 256

    /// The last answer for an author; nil if there was none.
    func answer(for author: String, _ step: UndoStep) -> Answer? {
        authors.withLock { $0[author]?.answers[step] }
    }

    /// A sequence up to which the author has no commit.
    func start(of author: String) -> UInt64 { authors.withLock { $0[author]?.start ?? 0 } }

    /// Keeps an answer. `start` is a sequence up to which the author has no commit; nil if that is
    /// unknown.
    func keep(_ answer: Answer, for author: String, _ step: UndoStep, start: UInt64? = nil) {
        authors.withLock { authors in
            if authors.count >= Self.authorCountMax, authors[author] == nil { authors = [:] }
            var known = authors[author] ?? Author()
            // Another thread may have kept a newer answer.
            if answer.through >= known.answers[step]?.through ?? 0 { known.answers[step] = answer }
            if let start { known.start = max(known.start, start) }
            authors[author] = known
        }
    }
}
