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

    /// As `findUnique`.
    public func findUniqueString() throws -> String? { try findUnique() }

    /// `findStrings` without blocking.
    public nonisolated(nonsending) func findStrings() async throws -> [String] {
        try await find()
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
