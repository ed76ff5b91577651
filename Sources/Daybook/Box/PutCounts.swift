import DaybookBytes
import DaybookEngine

/// The numbers of objects that a put inserted, replaced, left unchanged and ignored. See
/// ``Box/put(_:mode:update:counting:)``.
public struct PutCounts: Sendable, Hashable {
    /// The objects that were not stored before.
    public internal(set) var inserted = 0
    /// The stored objects that were written again.
    public internal(set) var replaced = 0
    /// The stored objects that were not written, because the policy is ``UpsertPolicy/modified``
    /// and no property differs.
    public internal(set) var unchanged = 0
    /// The objects that were not written, because another object has their unique values and the
    /// rule is ``UniqueConflict/ignore``.
    public internal(set) var ignored = 0

    /// Creates counts of nothing.
    public init() {}

    mutating func add(_ effect: PutOutcome.Effect) {
        switch effect {
        case .inserted: inserted += 1
        case .replaced: replaced += 1
        case .unchanged: unchanged += 1
        case .ignored: ignored += 1
        }
    }

    /// Adds the counts of another put.
    public static func += (counts: inout PutCounts, others: PutCounts) {
        counts.inserted += others.inserted
        counts.replaced += others.replaced
        counts.unchanged += others.unchanged
        counts.ignored += others.ignored
    }
}

/// The ids of the objects of a put in order, and their counts if they were requested.
struct PutResult: Sendable {
    var ids: [Id] = []
    var counts = PutCounts()
}

extension PendingChanges {
    /// Puts a row, and counts it if the options require it, which takes one more lookup.
    @inline(__always)
    mutating func put(
        _ entity: UInt32, _ id: UInt64, layout: UInt32, row: Span<UInt8>, _ options: PutOptions,
        counting counts: inout PutCounts
    ) throws(DaybookError) -> PutOutcome {
        guard options.isCounted else {
            return try put(entity, id, layout: layout, row: row, options)
        }
        // An object that was removed is inserted.
        let isGone = id == 0 ? false : try !contains(entity, id)
        let outcome = try put(entity, id, layout: layout, row: row, options)
        let isBack = isGone && outcome.id == id && outcome.effect == .replaced
        counts.add(isBack ? .inserted : outcome.effect)
        return outcome
    }
}

extension Box {
    /// Stores objects in one transaction, as ``put(_:mode:)`` does, and adds the numbers of
    /// inserted, replaced, unchanged and ignored objects to `counts`. New objects in their
    /// relations are not counted.
    ///
    /// ```swift
    /// var counts = PutCounts()
    /// try countries.put(downloaded, update: .modified, counting: &counts)
    /// print("\(counts.inserted) new, \(counts.replaced) changed")
    /// ```
    ///
    /// - Parameters:
    ///   - objects: the objects, in any order.
    ///   - mode: whether the objects may, or must, exist.
    ///   - policy: the effect on an object with the same primary key. An entity without a primary
    ///     key accepts only `.all`.
    ///   - counts: unchanged if the put throws.
    /// - Throws: as `put`; `.invalidArgument` for another policy in an entity without a primary
    ///   key.
    /// - Complexity: that of `put`, and one more lookup for each object with an id.
    @discardableResult
    public func put(
        _ objects: some Collection<E>, mode: PutMode = .put, update policy: UpsertPolicy = .all,
        counting counts: inout PutCounts
    ) throws -> [Id] {
        let result = try putAll(objects, try countedOptions(mode, policy))
        counts += result.counts
        return result.ids
    }

    /// `put` with counts, without blocking.
    @discardableResult
    public nonisolated(nonsending) func put(
        _ objects: some Collection<E>, mode: PutMode = .put, update policy: UpsertPolicy = .all,
        counting counts: inout PutCounts
    ) async throws -> [Id] {
        let result = try await putAll(objects, try countedOptions(mode, policy))
        counts += result.counts
        return result.ids
    }

    private func countedOptions(
        _ mode: PutMode, _ policy: UpsertPolicy
    ) throws(DaybookError) -> PutOptions {
        if policy != .all { try binding().requirePrimaryKey() }
        var options = PutOptions(mode: mode, upsert: policy)
        options.isCounted = true
        return options
    }
}
