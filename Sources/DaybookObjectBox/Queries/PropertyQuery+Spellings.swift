public import Daybook

// The names of ObjectBox for the methods of property queries.

extension PropertyQuery {
    /// As `distinct(caseSensitive:)`.
    public func distinct(caseSensitiveCompare: Bool) -> PropertyQuery {
        distinct(caseSensitive: caseSensitiveCompare)
    }

    /// As `with(nullValue:)`.
    public func with(nullString: Value) -> PropertyQuery where Value == String {
        with(nullValue: nullString)
    }
}

extension PropertyQuery where Value == String {
    /// As `find`.
    public func findStrings() throws -> [String] { try find() }

    /// As `findFirst`.
    public func findString() throws -> String? { try findFirst() }

    /// As `findUnique`.
    public func findUniqueString() throws -> String? { try findUnique() }

    /// `findStrings` without blocking.
    public nonisolated(nonsending) func findStrings() async throws -> [String] {
        try await find()
    }

    /// `findString` without blocking.
    public nonisolated(nonsending) func findString() async throws -> String? {
        try await findFirst()
    }

    /// `findUniqueString` without blocking.
    public nonisolated(nonsending) func findUniqueString() async throws -> String? {
        try await findUnique()
    }
}

extension PropertyQuery where Value == Double {
    /// As `find`.
    public func findDoubles() throws -> [Double] { try find() }

    /// As `findUnique`.
    public func findUniqueDouble() throws -> Double? { try findUnique() }

    /// `findDoubles` without blocking.
    public nonisolated(nonsending) func findDoubles() async throws -> [Double] {
        try await find()
    }

    /// `findUniqueDouble` without blocking.
    public nonisolated(nonsending) func findUniqueDouble() async throws -> Double? {
        try await findUnique()
    }
}

extension PropertyQuery where Value == Float {
    /// As `find`.
    public func findFloats() throws -> [Float] { try find() }

    /// As `findUnique`.
    public func findUniqueFloat() throws -> Float? { try findUnique() }

    /// `findFloats` without blocking.
    public nonisolated(nonsending) func findFloats() async throws -> [Float] {
        try await find()
    }

    /// `findUniqueFloat` without blocking.
    public nonisolated(nonsending) func findUniqueFloat() async throws -> Float? {
        try await findUnique()
    }
}

extension PropertyQuery where Value: NumericValue {
    /// As `average`, which is chosen unless the context requires a number. NaN without values.
    @_disfavoredOverload
    public func average() throws -> Double {
        let average: Double? = try average()
        return average ?? .nan
    }

    /// `average` without blocking. NaN without values.
    @_disfavoredOverload
    public nonisolated(nonsending) func average() async throws -> Double {
        let average: Double? = try await average()
        return average ?? .nan
    }
}

extension PropertyQuery where Value: NumericValue & FixedWidthInteger {
    /// The average without its fraction; 0 if there is no value.
    public func averageInt() throws -> Value {
        let found: Double? = try average()
        guard let average = found else { return 0 }
        // The average of the greatest numbers may be rounded to one more.
        return Value(exactly: average.rounded(.towardZero)) ?? (average < 0 ? .min : .max)
    }

    /// As `sum(as:)`. Throws `.overflow` for a sum that does not fit.
    public func sumInt() throws -> Int { try sum(as: Int.self) }

    /// As `sum(as:)`. Throws `.overflow` for a sum that does not fit.
    public func sumUnsigned() throws -> UInt64 { try sum(as: UInt64.self) }
}
