#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import DaybookBytes
import DaybookEngine

extension Store {
    /// Removes the objects that have expired, of all entities that are declared with `expires`, and
    /// returns their number.
    ///
    /// The objects are removed as ``Box/remove(_:ifUnchangedSince:)`` does, in transactions
    /// of at most 1,000 objects: subscribers see the removals, delete rules apply, and the history
    /// keeps the objects. An object whose date changes meanwhile is kept if it is no longer
    /// expired. Inside a write transaction all objects are removed in that transaction.
    ///
    /// A store with ``StoreOptions/isMaintenanceAutomatic`` does this by itself, see
    /// ``StoreOptions/expiryInterval``.
    ///
    /// - Parameter date: the moment at which objects must have expired. Default: now.
    /// - Throws: the errors of every write. If a delete rule denies the removal of an object, the
    ///   others are removed, and then its error is thrown.
    /// - Complexity: a search by date for each entity, which reads all objects if the property has
    ///   no value index, and the removals.
    @discardableResult
    public func removeExpired(at date: Date = Date()) throws -> Int {
        try types.removeExpired(at: try date.moment(inNanoseconds: true))
    }

    /// `removeExpired` without blocking the caller's thread. If the task is cancelled, it throws
    /// `CancellationError`; the objects of completed transactions are removed then.
    @discardableResult
    public func removeExpired(at date: Date = Date()) async throws -> Int {
        let moment = try date.moment(inNanoseconds: true)
        return try await Engine.runElsewhere { try self.types.removeExpired(at: moment) }
    }
}

extension StoreTypes {
    /// Removes the expired objects of all entities, and returns their number. Throws the first
    /// error after all entities were tried.
    func removeExpired(
        at moment: Int128, _ isCancelled: () -> Bool = { false }
    ) throws -> Int {
        var count = 0
        var failure: (any Error)?
        for (binding, expiry) in expiring {
            var removal = ExpiredRemoval(self, binding, expiry, at: moment)
            do { try removal.run(isCancelled) } catch { failure = failure ?? error }
            count += removal.removedCount
        }
        if let failure { throw failure }
        return count
    }

    /// Removes expired objects in the background from now on.
    func removeExpiredRegularly(_ options: StoreOptions) {
        guard !expiring.isEmpty, !engine.isFollowing, options.isMaintenanceAutomatic,
            options.expiryInterval > .zero
        else { return }
        let now = options.now
        engine.repeatRemoval(
            everyMilliseconds: max(1, options.expiryInterval.wholeMilliseconds)
        ) { [weak self] isCancelled in
            guard let self else { return }
            let start = engine.events?.now
            let count = try removeExpired(
                at: try now().moment(inNanoseconds: true), isCancelled)
            guard count > 0 else { return }
            engine.events?.post(.expiredObjectsRemoved(count: count, duration: .since(start)))
        }
    }
}
