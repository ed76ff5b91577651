import DaybookBytes
import DaybookEngine
public import Foundation

extension Store {
    /// Removes an object and erases all its versions from every file of the store.
    ///
    /// ```swift
    /// try CommitMetadata.$current.withValue(CommitMetadata(author: "privacy desk")) {
    ///     try store.erase(customer)
    /// }
    /// ```
    ///
    /// One commit removes the object, its links and the objects that its delete rules remove, and
    /// records the erasure. Then the segments with earlier versions of these objects are rewritten,
    /// indexes and snapshots are written again, and the old files are removed. The history of other
    /// objects, the positions of consumers, and all commits with their metadata remain. Past states
    /// do not contain the objects any more; consumers and the history see a removal without earlier
    /// versions.
    ///
    /// The record of the erasure contains the number of objects, but neither their content nor
    /// their ids: see ``erasures()``. The ids are not used again.
    ///
    /// If an error or a crash interrupts the call after its commit, the object is removed, but some
    /// files may still have versions. The next opening for writing resumes the erasure in the
    /// background; ``finishErasures(progress:isCancelled:)`` resumes it at once.
    ///
    /// - Parameters:
    ///   - object: An object with an id.
    ///   - properties: The Swift names of properties. If not empty, the object stays: the values of
    ///     these properties become null, or empty or zero if they are not optional, in all
    ///     versions.
    ///   - removesQuarantine: Whether to remove the files that recovery set aside in the directory
    ///     `quarantine`. They may contain versions of the object.
    /// - Returns: The numbers of erased objects and versions.
    /// - Throws: Before any change: `.invalidArgument` for an object without an id, an unknown
    ///   property, a relation, a property of the primary key, a call in a write transaction of this
    ///   thread, and for files in the quarantine unless they are removed; `.relationDenied`,
    ///   `.uniqueViolation`, `.readOnly`, `.closed`. Later: `.interrupted`, `.corruption`,
    ///   `.outOfSpace`, `.durabilityUnknown`, `.inputOutput`.
    /// - Complexity: A read of the whole log, and a read and a write of the segments with versions
    ///   of the objects. If the entity has indexes, also a rebuild of all indexes, for which
    ///   writers wait.
    @discardableResult
    public func erase<E: Entity>(
        _ object: E, properties: Set<String> = [],
        removingQuarantine removesQuarantine: Bool = false
    ) throws -> ErasureReport {
        try erase(
            try target(of: object, properties), removingQuarantine: removesQuarantine,
            OperationControl())
    }

    /// Erases the objects that a query returns when the call begins, or the values of their
    /// properties; see ``erase(_:properties:removingQuarantine:)``.
    ///
    /// - Parameters:
    ///   - query: A query of the store.
    ///   - properties: The Swift names of properties; empty for whole objects.
    ///   - removesQuarantine: Whether to remove the files in the directory `quarantine`.
    ///   - progress: Receives the completed part, 0 to 1.
    ///   - isCancelled: Called often; true ends the call with `.interrupted`.
    @discardableResult
    public func erase<E: Entity>(
        matching query: Query<E>, properties: Set<String> = [],
        removingQuarantine removesQuarantine: Bool = false,
        progress: @escaping (Double) -> Void = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> ErasureReport {
        try erase(
            try target(of: query, properties), removingQuarantine: removesQuarantine,
            OperationControl(progress: progress, isCancelled: isCancelled))
    }

    /// Erases objects of an entity by its name, or values of their properties; see
    /// ``erase(_:properties:removingQuarantine:)``. Use it for objects that were removed before,
    /// and without types. Ids without an object are skipped.
    ///
    /// - Parameters:
    ///   - ids: The ids of the objects, also of removed ones.
    ///   - entity: The name of the entity in the store.
    ///   - properties: The names of properties in the store; empty for whole objects.
    ///   - removesQuarantine: Whether to remove the files in the directory `quarantine`.
    ///   - progress: Receives the completed part, 0 to 1.
    ///   - isCancelled: Called often; true ends the call with `.interrupted`.
    @discardableResult
    public func erase(
        ids: [Id], of entity: String, properties: Set<String> = [],
        removingQuarantine removesQuarantine: Bool = false,
        progress: @escaping (Double) -> Void = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> ErasureReport {
        try erase(
            ErasureRequest(entity, ids: ids, properties: properties.sorted()),
            removingQuarantine: removesQuarantine,
            OperationControl(progress: progress, isCancelled: isCancelled))
    }

    /// Returns the report that
    /// ``erase(ids:of:properties:removingQuarantine:progress:isCancelled:)`` would return now,
    /// without the resulting sizes. Changes nothing; also for a read-only store.
    ///
    /// - Throws: The errors of `erase` before any change, except `.readOnly` and the one for files
    ///   in the quarantine; `.interrupted`, `.corruption`.
    /// - Complexity: A read of the whole log.
    public func erasurePlan(
        ids: [Id], of entity: String, properties: Set<String> = [],
        progress: @escaping (Double) -> Void = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> ErasureReport {
        try engine.planErasure(
            ErasureRequest(entity, ids: ids, properties: properties.sorted()),
            OperationControl(progress: progress, isCancelled: isCancelled))
    }

    /// Returns the report that
    /// ``erase(matching:properties:removingQuarantine:progress:isCancelled:)`` would return now;
    /// see ``erasurePlan(ids:of:properties:progress:isCancelled:)``.
    public func erasurePlan<E: Entity>(
        matching query: Query<E>, properties: Set<String> = [],
        progress: @escaping (Double) -> Void = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> ErasureReport {
        try engine.planErasure(
            try target(of: query, properties),
            OperationControl(progress: progress, isCancelled: isCancelled))
    }

    /// Resumes the erasures that an error or a crash interrupted, and returns the sums of their
    /// reports. Does nothing if there are none. Throws like the second part of
    /// ``erase(_:properties:removingQuarantine:)``.
    @discardableResult
    public func finishErasures(
        progress: @escaping (Double) -> Void = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> ErasureReport {
        try engine.finishErasures(OperationControl(progress: progress, isCancelled: isCancelled))
    }

    /// Returns the erasures of the store in the order of their commits: the time, the author, the
    /// entity and the number of objects of each, but no content. A compaction keeps them.
    ///
    /// Cost: a lookup in the log for each. Throws `.closed`, `.corruption`.
    public func erasures() throws -> [Erasure] { try engine.erasures() }

    private func erase(
        _ request: ErasureRequest, removingQuarantine removesQuarantine: Bool,
        _ control: OperationControl
    ) throws -> ErasureReport {
        try engine.erase(request, removesQuarantine: removesQuarantine, control)
    }

    /// An object, by the names in the store.
    fileprivate func target<E: Entity>(
        of object: E, _ properties: Set<String>
    ) throws -> ErasureRequest {
        let binding = try types.binding(of: E.self)
        let id = try binding.id(of: object, types)
        guard id != 0 else {
            throw DaybookError(
                .invalidArgument,
                "An object of '\(binding.name)' that is not stored cannot be erased. Put it, or"
                    + " read it from the store.", details: ["entity": binding.name])
        }
        return ErasureRequest(
            try types.engine.schemas.entityName(binding.entity), ids: [id],
            properties: try storedNames(properties, of: binding))
    }

    /// The objects of a query, by the names in the store.
    fileprivate func target<E: Entity>(
        of query: Query<E>, _ properties: Set<String>
    ) throws -> ErasureRequest {
        let (runner, binding) = (try query.runner(), try query.binding())
        let ids = try query.types.query { try runner.ids($0) }
        return ErasureRequest(
            try types.engine.schemas.entityName(binding.entity), ids: ids,
            properties: try storedNames(properties, of: binding))
    }

    private func storedNames(
        _ names: Set<String>, of binding: EntityBinding
    ) throws(DaybookError) -> [String] {
        try names.sorted().map { name throws(DaybookError) in
            guard let index = binding.declaredNames.firstIndex(of: name) else {
                throw DaybookError(
                    .invalidArgument,
                    "'\(binding.name)' has no property '\(name)'. Use one of"
                        + " \(binding.declaredNames.sorted().joined(separator: ", ")).",
                    details: ["entity": binding.name, "property": name])
            }
            return binding.layout.layout.fields[index].name
        }
    }
}

extension Store {
    /// `erase` without blocking the caller's thread. Throws `CancellationError` if the task is
    /// cancelled; after the commit, the erasure is resumed as after an interruption.
    @discardableResult
    public func erase<E: Entity>(
        _ object: E, properties: Set<String> = [],
        removingQuarantine removesQuarantine: Bool = false
    ) async throws -> ErasureReport {
        try await erased(try target(of: object, properties), removesQuarantine)
    }

    /// `erase` of a query's objects without blocking the caller's thread.
    @discardableResult
    public func erase<E: Entity>(
        matching query: Query<E>, properties: Set<String> = [],
        removingQuarantine removesQuarantine: Bool = false,
        progress: @escaping @Sendable (Double) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) async throws -> ErasureReport {
        try await erased(
            try target(of: query, properties), removesQuarantine, progress, isCancelled)
    }

    /// `erase` by ids without blocking the caller's thread.
    @discardableResult
    public func erase(
        ids: [Id], of entity: String, properties: Set<String> = [],
        removingQuarantine removesQuarantine: Bool = false,
        progress: @escaping @Sendable (Double) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) async throws -> ErasureReport {
        try await erased(
            ErasureRequest(entity, ids: ids, properties: properties.sorted()), removesQuarantine,
            progress, isCancelled)
    }

    /// `erasurePlan` without blocking the caller's thread.
    public func erasurePlan(
        ids: [Id], of entity: String, properties: Set<String> = [],
        progress: @escaping @Sendable (Double) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) async throws -> ErasureReport {
        try await Engine.runElsewhere {
            try self.erasurePlan(
                ids: ids, of: entity, properties: properties, progress: progress,
                isCancelled: isCancelled)
        }
    }

    /// `erasurePlan` of a query's objects without blocking the caller's thread.
    public func erasurePlan<E: Entity>(
        matching query: Query<E>, properties: Set<String> = [],
        progress: @escaping @Sendable (Double) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) async throws -> ErasureReport {
        let request = try target(of: query, properties)
        return try await Engine.runElsewhere {
            try self.engine.planErasure(
                request, OperationControl(progress: progress, isCancelled: isCancelled))
        }
    }

    /// `finishErasures` without blocking the caller's thread.
    @discardableResult
    public func finishErasures(
        progress: @escaping @Sendable (Double) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) async throws -> ErasureReport {
        try await Engine.runElsewhere {
            try self.finishErasures(progress: progress, isCancelled: isCancelled)
        }
    }

    /// `erasures` without blocking the caller's thread.
    public func erasures() async throws -> [Erasure] {
        try await Engine.runElsewhere { try self.erasures() }
    }

    private func erased(
        _ request: ErasureRequest, _ removesQuarantine: Bool,
        _ progress: @escaping @Sendable (Double) -> Void = { _ in },
        _ isCancelled: @escaping @Sendable () -> Bool = { false }
    ) async throws -> ErasureReport {
        // Read here, because another thread does not know the task's metadata.
        let metadata = engine.options.ambientMetadata()
        return try await Engine.runElsewhere {
            try self.engine.erase(
                request, metadata: metadata, removesQuarantine: removesQuarantine,
                OperationControl(progress: progress, isCancelled: isCancelled))
        }
    }
}

extension Erasure {
    /// The time of the commit.
    public var date: Date { Date(microseconds: timeMicroseconds) }

    /// The author of the commit.
    public var author: String? { CommitMetadata(pairs: metadata).author }
}
