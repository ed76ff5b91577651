import DaybookBytes
import DaybookEngine
import DaybookQuery
import DaybookRecords

/// The declaration that objects expire at the date of a property, or a time after it.
struct DeclaredExpiry: Sendable, Equatable {
    /// The stored name of the property.
    var column: String
    var after: Duration
}

extension EntityDescription {
    /// The declared expiry; nil if the objects do not expire.
    var expiry: DeclaredExpiry? {
        for case .expiry(var expiry) in attributes.lazy.map(\.content) {
            expiry.column = columnNames[expiry.column] ?? expiry.column
            return expiry
        }
        return nil
    }

    /// The Swift name of the property with the date at which objects expire, and the time after it.
    ///
    /// Throws `.schemaMismatch` for a property that does not exist or is not a date, for a type
    /// that is not an entity, and for several expiries, and `.invalidArgument` for a negative time.
    func checkedExpiry(isEntity: Bool) throws(DaybookError) -> ObjectExpiry? {
        guard let expiry else { return nil }
        let count = attributes.count { if case .expiry = $0.content { true } else { false } }
        guard isEntity, count == 1 else {
            throw mismatch(
                expiry,
                isEntity
                    ? "\(name) expires in \(count) ways. Declare one of them."
                    : "\(name) is not an entity, so nothing of it can expire. Remove 'expires'.")
        }
        guard let property = properties.first(where: { $0.name == expiry.column }) else {
            throw mismatch(
                expiry,
                "\(name) expires by '\(expiry.column)', which is not a stored property. Name a"
                    + " property of the type Date.")
        }
        let shape = property.declaration(in: .object).shape
        guard shape.type == .date || shape.type == .dateNano else {
            throw mismatch(
                expiry,
                "\(name) expires by '\(expiry.column)', which is a \(shape.description). Name a"
                    + " property of the type Date.")
        }
        guard expiry.after >= .zero else {
            throw DaybookError(
                .invalidArgument,
                "\(name) expires \(expiry.after) after '\(expiry.column)'. Use a duration that is"
                    + " not negative.", details: ["entity": name, "property": expiry.column])
        }
        return ObjectExpiry(property: property.declaredName, after: expiry.after)
    }

    private func mismatch(_ expiry: DeclaredExpiry, _ message: String) -> DaybookError {
        DaybookError(
            .schemaMismatch, message, details: ["entity": name, "property": expiry.column])
    }
}

/// The time at which the objects of an entity expire.
struct ObjectExpiry: Sendable {
    /// The Swift name of a property with a date. Objects without one do not expire.
    let property: String
    let after: Duration

    /// The number of objects that one transaction removes at most.
    static let batchCountMax = 1_000

    /// The condition of the objects that have expired at a moment in nanoseconds since 1970.
    fileprivate func condition(at moment: Int128) -> QueryCondition {
        let (seconds, attoseconds) = after.components
        let delay = Int128(seconds) * 1_000_000_000 + Int128(attoseconds) / 1_000_000_000
        return .range(
            .property(PropertyPath([property])), lower: nil,
            upper: QueryBound(.moment(moment - delay), isInclusive: true))
    }
}

/// Removes the expired objects of one entity.
///
/// Searches outside of transactions, so that writers do not wait for the search. Each transaction
/// evaluates the condition again, so an object whose date was moved forward meanwhile is kept.
struct ExpiredRemoval {
    private let types: StoreTypes
    private let entity: UInt32
    private let condition: QueryCondition
    private(set) var removedCount = 0
    /// Called before each transaction with the objects that were found, for tests.
    var willRemove: ([UInt64]) throws -> Void = { _ in }
    /// The objects that could not be removed, and the first error.
    private var kept: [UInt64] = []
    private var failure: (any Error)?

    init(_ types: StoreTypes, _ binding: EntityBinding, _ expiry: ObjectExpiry, at moment: Int128) {
        self.types = types
        entity = binding.entity
        condition = expiry.condition(at: moment)
    }

    /// Removes the objects, in transactions of at most ``ObjectExpiry/batchCountMax`` objects. If a
    /// transaction fails, its objects are removed one by one; an object that cannot be removed, for
    /// example because a delete rule denies it, is left out. Throws the first error at the end.
    mutating func run(_ isCancelled: () -> Bool) throws {
        while !isCancelled() {
            try OperationCancellation.checkCurrent()
            let ids = try types.query { try runner(limit: ObjectExpiry.batchCountMax).ids($0) }
            guard !ids.isEmpty else { break }
            try willRemove(ids)
            do {
                removedCount += try remove(ids)
            } catch let error as DaybookError where error.code.endsExpiry {
                throw error
            } catch {
                try removeEach(of: ids, isCancelled)
            }
        }
        if let failure { throw failure }
    }

    private mutating func removeEach(of ids: [UInt64], _ isCancelled: () -> Bool) throws {
        for id in ids where !isCancelled() {
            do {
                removedCount += try remove([id])
            } catch let error as DaybookError where error.code.endsExpiry {
                throw error
            } catch {
                failure = failure ?? error
                kept.append(id)
            }
        }
    }

    /// Removes the objects that still exist and are expired, and returns their number.
    private func remove(_ ids: [UInt64]) throws -> Int {
        let runner = try runner(among: ids)
        return try types.engine.operate { transaction in
            let expired = try types.query { try runner.ids($0) }
            return expired.isEmpty ? 0 : try transaction.changes.remove(entity, expired)
        }
    }

    private func runner(
        among ids: [UInt64]? = nil, limit: Int? = nil
    ) throws(DaybookError) -> QueryRunner {
        func isOneOf(_ ids: [UInt64]) -> QueryCondition {
            .oneOf(.property(.ownId), ids.map { .integer(Int128($0)) }, [])
        }
        var parts = [condition]
        if let ids { parts.append(isOneOf(ids)) }
        if !kept.isEmpty { parts.append(.not(isOneOf(kept))) }
        var definition = QueryDefinition(.and(parts))
        definition.limit = limit
        return try QueryRunner(definition, of: entity, in: try types.names.model())
    }
}

extension DaybookError.Code {
    /// Whether no further object can be removed after this error.
    fileprivate var endsExpiry: Bool {
        [.closed, .readOnly, .interrupted, .durabilityUnknown, .outOfSpace].contains(self)
    }
}
