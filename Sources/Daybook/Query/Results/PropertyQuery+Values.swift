import DaybookBytes
import DaybookEngine
import DaybookQuery

extension PropertyQuery {
    /// Returns the values in the order of the query.
    public func find() throws -> [Value] {
        let aggregates = try aggregates()
        return try values(of: try query.types.query { try aggregates.values($0) })
    }

    /// Returns the only value, or nil if there is none. Throws `.nonUniqueResult` if there are
    /// several.
    public func findUnique() throws -> Value? {
        let aggregates = try aggregates()
        return try only(try query.types.query { try aggregates.values($0, limit: 2) })
    }

    /// Returns the first value in the order of the query, or nil if there is none.
    public func findFirst() throws -> Value? {
        let aggregates = try aggregates()
        return try values(of: try query.types.query { try aggregates.values($0, limit: 1) }).first
    }

    /// Returns the number of values.
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
    /// Returns the minimum; nil if there is no value. NaN is ignored unless all values are NaN.
    public func min() throws -> Value? {
        let aggregates = try aggregates()
        return try value(of: try query.types.query { try aggregates.minimum($0) })
    }

    /// Returns the maximum; nil if there is no value. NaN is ignored unless all values are NaN.
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
    /// Returns the sum; 0 if there is no value. Integers are added exactly. Throws `.overflow` for
    /// a sum that does not fit its type.
    public func sum() throws -> Value.Sum {
        let aggregates = try aggregates()
        return try sum(of: try query.types.query { try aggregates.sum($0) }, as: Value.Sum.self)
    }

    /// Returns the sum as another type, such as a wider one. Throws `.overflow` for a sum that does
    /// not fit the type.
    public func sum<Sum: PropertyValue>(as type: Sum.Type) throws -> Sum {
        let aggregates = try aggregates()
        return try sum(of: try query.types.query { try aggregates.sum($0) }, as: type)
    }

    /// Returns the average; nil if there is no value.
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
