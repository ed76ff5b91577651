import Testing

/// Each public operation that may wait has an async twin that blocks no thread. A missing twin
/// would not be noticed, because the compiler then silently chooses the blocking operation in an
/// `async` function.
@Suite struct TwinTests {
    @Test func `every blocking operation of stores and boxes has an async twin`() {
        let files = SourceTree.sources.filter { file in
            [
                "Store/Store", "Box/Box", "Box/Async/", "Projection/Projections", "History/",
                "Changes/Consumer",
            ].contains {
                file.path.hasPrefix("Sources/Daybook/" + $0)
            }
        }
        let operations = files.flatMap(\.publicOperations)
        let blocking = operations.filter { !$0.isAsync }.map(\.signature)
        let twins = Set(operations.filter(\.isAsync).map(\.signature))
        #expect(blocking.count > 30)
        #expect(blocking.filter { !twins.contains($0) } == [])
    }

    @Test func `operations are found, and twins are distinguished from others`() {
        let file = SourceFile(
            path: "a.swift",
            text: """
                extension S {
                    public func one<Result>(
                        a: [B: C] = [:], _ body: (E) throws -> Result
                    ) throws -> Result {
                        try body()
                    }
                    public nonisolated(nonsending) func one<Result: Sendable>(
                        a: [B: C] = [:],
                        _ body: @escaping @Sendable (E) throws -> Result
                    ) async throws -> Result { try body() }
                    public func one<Result>(
                        a: [B: C] = [:], _ body: sending @escaping (E) throws -> Result
                    ) async throws -> sending Result { try body() }
                    public func two() -> Int { 2 }
                    func three() throws {}
                    public convenience init(_ a: A, b: B = B()) throws {}
                }
                """)
        #expect(
            file.publicOperations.map(\.signature) == [
                "one(a:[B:C],_ body:(E)throws->Result)", "one(a:[B:C],_ body:(E)throws->Result)",
                "one(a:[B:C],_ body:(E)throws->Result)", "init(_ a:A,b:B)",
            ])
        #expect(file.publicOperations.map(\.isAsync) == [false, true, true, false])
    }
}

extension SourceFile {
    /// A public function or initializer that throws.
    fileprivate struct Operation {
        /// The name and the parameters, without the differences between twins.
        var signature: String
        var isAsync: Bool
    }

    fileprivate var publicOperations: [Operation] {
        code.indices.compactMap { index in
            let words = code[index].words
            guard words.first == "public", words.contains("func") || words.contains("init") else {
                return nil
            }
            return Self.operation(code[index...].joined(separator: " "))
        }
    }

    private static func operation(_ text: String) -> Operation? {
        guard let match = text.firstMatch(of: /(?:func (\w+)|init)(?:<[^>]*>)?\(/) else {
            return nil
        }
        var depth = 1
        var end = match.range.upperBound
        while depth > 0, end < text.endIndex {
            if text[end] == "(" { depth += 1 }
            if text[end] == ")" { depth -= 1 }
            end = text.index(after: end)
        }
        let effects = text[end...].prefix { $0 != "{" }.words
        guard effects.contains("throws") else { return nil }
        var parameters = String(text[match.range.upperBound..<end])
        parameters.replace(/@escaping|@Sendable|sending/, with: "")
        parameters.replace(/\ = (?:\[:\]|\.?\w+(?:\(\))?)/, with: "")
        parameters.replace(/\s+/, with: " ")
        parameters.replace(/\ ?([(),:\[\]]|->)\ ?/) { $0.1 }
        parameters.replace(/\ ?(throws)\ ?/) { $0.1 }
        return Operation(
            signature: "\(match.1 ?? "init")(\(parameters.trimmed)",
            isAsync: effects.contains("async"))
    }
}
