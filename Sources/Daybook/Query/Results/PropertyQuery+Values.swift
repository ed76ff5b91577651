import DaybookBytes
import DaybookEngine
import DaybookQuery

extension PropertyQuery {
    /// The values, in the order of the query.
    public func find() throws -> [Value] {
        let aggregates = try aggregates()
        return try values(of: try query.types.query { try aggregates.values($0) })
    }

    /// The only value, or nil. Throws `.nonUniqueResult` where there are more.
    public func findUnique() throws -> Value? {
        let aggregates = try aggregates()
        return try only(try query.types.query { try aggregates.values($0, limit: 2) })
    }

    /// The first value in the order of the query, or nil.
    public func findFirst() throws -> Value? {
        let aggregates = try aggregates()
        return try values(of: try query.types.query { try aggregates.values($0, limit: 1) }).first
    }

    /// How many values there are.
    public func count() throws -> Int {
        let aggregates = try aggregates()
        return try query.types.query { try aggregates.count($0) }
    }

    /// `find` without blocking.
    public nonisolated(nonsending) func find() async throws -> [Value] {
        let aggregates = try aggregates()
        return try values(of: try await query.elsewhere { try aggregates.values($0) })
    }

    /// `findUnique` without blocking.
    public nonisolated(nonsending) func findUnique() async throws -> Value? {
        let aggregates = try aggregates()
        return try only(try await query.elsewhere { try aggregates.values($0, limit: 2) })
    }

    /// `findFirst` without blocking.
    public nonisolated(nonsending) func findFirst() async throws -> Value? {
        let aggregates = try aggregates()
        return try values(of: try await query.elsewhere { try aggregates.values($0, limit: 1) })
            .first
    }

    /// `count` without blocking.
    public nonisolated(nonsending) func count() async throws -> Int {
        let aggregates = try aggregates()
        return try await query.elsewhere { try aggregates.count($0) }
    }
}

extension PropertyQuery where Value: OrderedValue {
    /// The least value; nil where there is none. Not-a-number counts only where there is nothing
    /// else.
    public func min() throws -> Value? {
        let aggregates = try aggregates()
        return try value(of: try query.types.query { try aggregates.minimum($0) })
    }

    /// The greatest value; nil where there is none. Not-a-number counts only where there is nothing
    /// else.
    public func max() throws -> Value? {
        let aggregates = try aggregates()
        return try value(of: try query.types.query { try aggregates.maximum($0) })
    }

    /// `min` without blocking.
    public nonisolated(nonsending) func min() async throws -> Value? {
        let aggregates = try aggregates()
        return try value(of: try await query.elsewhere { try aggregates.minimum($0) })
    }

    /// `max` without blocking.
    public nonisolated(nonsending) func max() async throws -> Value? {
        let aggregates = try aggregates()
        return try value(of: try await query.elsewhere { try aggregates.maximum($0) })
    }
}

extension PropertyQuery where Value: NumericValue {
    /// The sum; 0 where there is no value. Integers are added exactly; a sum that its type cannot
    /// hold is `.overflow`.
    public func sum() throws -> Value.Sum {
        let aggregates = try aggregates()
        return try sum(of: try query.types.query { try aggregates.sum($0) }, as: Value.Sum.self)
    }

    /// The sum as another type, such as a wider one. Throws `.overflow` where it does not fit.
    public func sum<Sum: PropertyValue>(as type: Sum.Type) throws -> Sum {
        let aggregates = try aggregates()
        return try sum(of: try query.types.query { try aggregates.sum($0) }, as: type)
    }

    /// The average; nil where there is no value.
    public func average() throws -> Double? {
        let aggregates = try aggregates()
        return try query.types.query { try aggregates.average($0) }
    }

    /// `sum` without blocking.
    public nonisolated(nonsending) func sum() async throws -> Value.Sum {
        let aggregates = try aggregates()
        return try sum(
            of: try await query.elsewhere { try aggregates.sum($0) }, as: Value.Sum.self)
    }

    /// `sum` as another type without blocking.
    public nonisolated(nonsending) func sum<Sum: PropertyValue>(
        as type: Sum.Type
    ) async throws -> Sum {
        let aggregates = try aggregates()
        return try sum(of: try await query.elsewhere { try aggregates.sum($0) }, as: type)
    }

    /// `average` without blocking.
    public nonisolated(nonsending) func average() async throws -> Double? {
        let aggregates = try aggregates()
        return try await query.elsewhere { try aggregates.average($0) }
    }
}
