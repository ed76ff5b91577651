public import DaybookBytes
public import DaybookEngine
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The position of a named consumer, and its distance from the newest commit: see
/// ``Store/consumerStatuses()``.
public struct ConsumerStatus: Sendable {
    /// The name of the consumer.
    public let name: String
    /// The position after the last acknowledged commit; nil if it cannot be used: see ``error``.
    public internal(set) var position: ChangePosition?
    /// The time of the last acknowledged commit; nil without one. After a compaction, that of the
    /// last commit before it that remains.
    public internal(set) var date: Date?
    /// The number of commits after the position, including commits that the consumer does not
    /// receive.
    public internal(set) var lag: UInt64 = 0
    /// The length of the log after the position, in bytes, to about 64 KiB.
    public internal(set) var lagBytes = 0
    /// The reason why the position cannot be used: `.corruption` for a damaged file, and
    /// `.historyOfAnotherStore`. The consumer needs a ``Consumer/reset(to:)`` then.
    public internal(set) var error: DaybookError?
}

extension Store {
    /// The consumers that have a position in this store, with their lag; sorted by name. Includes
    /// those of other processes.
    ///
    /// A position that cannot be used is no error of this call; its status contains the reason.
    ///
    /// - Complexity: for each consumer a small file, and a read of a commit.
    /// - Throws: `.permissionDenied`, `.inputOutput`, `.closed`, `.corruption` for a damaged
    ///   commit.
    public func consumerStatuses() throws -> [ConsumerStatus] {
        try engine.requireOpen()
        let consumers = ConsumerStore(engine)
        let newest = engine.readableSequence
        return try consumers.names().map { name in
            var status = ConsumerStatus(name: name)
            do throws(DaybookError) {
                // Nil if the consumer was reset after its name was listed.
                status.position = try consumers.position(of: name)
            } catch {
                guard [.corruption, .historyOfAnotherStore].contains(error.code) else {
                    throw error
                }
                status.error = error
            }
            guard let sequence = status.position?.sequence else { return status }
            status.lag = newest > sequence ? newest - sequence : 0
            status.lagBytes = status.lag > 0 ? try engine.logBytes(after: sequence) : 0
            let acknowledged = try engine.commits(before: sequence + 1, limit: 1).commits.first
            status.date = acknowledged.map { Date(microseconds: $0.commit.timeMicroseconds) }
            return status
        }
    }

    /// `consumerStatuses` without blocking.
    public nonisolated(nonsending) func consumerStatuses() async throws -> [ConsumerStatus] {
        try await engine.readElsewhere { try self.consumerStatuses() }
    }
}
