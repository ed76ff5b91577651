import Testing

/// Every asynchronous call of the library can be cancelled, because all of them wait in one place.
@Suite struct CancellationPathTests {
    /// The files that may suspend a task with a continuation: the cancellable call of the engine,
    /// and the wait for a commit, which ends when the task is cancelled.
    private static let suspending: Set<String> = [
        "Sources/DaybookEngine/Engine+Async.swift",
        "Sources/DaybookEngine/Commit/CommitSignal.swift",
    ]
    /// The functions that complete even in a cancelled task: closing a store, and the lock and the
    /// position of a consumer.
    private static let completing: Set<String> = [
        "Sources/DaybookEngine/Engine+Async.swift", "Sources/Daybook/Store/Store+Async.swift",
        "Sources/Daybook/Changes/Consumer+Walk.swift",
    ]

    @Test func `a task is suspended only where its cancellation is observed`() {
        var found: [String] = []
        for file in SourceTree.sources where !Self.suspending.contains(file.path) {
            for (index, line) in file.code.enumerated()
            where line.words.contains(where: Self.isContinuation) {
                found.append(file.place(index))
            }
        }
        #expect(found == [])
    }

    @Test func `only closing and the positions of consumers complete in a cancelled task`() {
        var found: [String] = []
        for file in SourceTree.sources where !Self.completing.contains(file.path) {
            for (index, line) in file.code.enumerated() where line.contains("finishElsewhere") {
                found.append(file.place(index))
            }
        }
        #expect(found == [])
    }

    @Test func `every public async function awaits another one`() {
        var found: [String] = []
        var count = 0
        for file in SourceTree.sources where file.path.hasPrefix("Sources/Daybook/") {
            for function in file.functions {
                let code = file.code[function.lines].joined(separator: " ")
                let head = code.prefix { $0 != "{" }.words
                guard head.contains("public"), head.contains("async") else { continue }
                count += 1
                if !code.drop(while: { $0 != "{" }).words.contains("await") {
                    found.append("\(file.path): \(function.name)")
                }
            }
        }
        #expect(found == [])
        #expect(count > 100)
    }

    private static func isContinuation(_ word: Substring) -> Bool {
        word.hasPrefix("with") && word.hasSuffix("Continuation")
    }
}
