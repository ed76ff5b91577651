import Testing

/// Explores the protocol as it is, and weaker protocols that another rule keeps correct.
@Suite(.timeLimit(.minutes(5))) struct ProtocolModelTests {
    private func expectSafe(_ options: ProtocolOptions, stateCountMin: Int) async -> Exploration {
        let result = await ProtocolExplorer.explore(options)
        #expect(result.violation == nil, "\(result.counterexample)")
        #expect(result.stateCount > stateCountMin)
        // A protocol without commits, or without a change of the writer, proves nothing.
        #expect(result.acknowledgedCounts.allSatisfy { $0 > 0 })
        return result
    }

    @Test func `two writers never fork the log`() async {
        let options = ProtocolOptions(claimMax: 3, commitMax: 2)
        let result = await expectSafe(options, stateCountMin: 40_000)
        #expect(result.completeCount > 0 && result.failedCount > 0 && result.lengthMax == 7)
    }

    @Test func `two writers never fork a log with a foreign message`() async {
        let options = ProtocolOptions(
            deduplicates: false, claimMax: 3, commitMax: 1, foreignMax: 1)
        let result = await expectSafe(options, stateCountMin: 70_000)
        #expect(result.completeCount > 0 && result.failedCount > 0 && result.lengthMax == 6)
    }

    @Test func `a batch counts as one request`() async {
        let options = ProtocolOptions(sending: .batch, foreignMax: 1)
        let result = await expectSafe(options, stateCountMin: 6_000)
        #expect(result.completeCount > 0 && result.failedCount > 0)
    }

    @Test(arguments: [1, 2]) func `a repeated commit is in the log once`(commitMax: Int) async {
        let options = ProtocolOptions(
            retriesAfterCrash: true, claimMax: 4 - commitMax, commitMax: commitMax,
            foreignMax: commitMax - 1)
        let result = await expectSafe(options, stateCountMin: 10_000)
        #expect(result.completeCount > 0 && result.failedCount > 0)
    }

    @Test func `the chain rule alone protects a stream that does not compare sequences`() async {
        let options = ProtocolOptions(
            deduplicates: false, crashes: false,
            mutations: [.appendWithoutComparison, .everyWriterCommits], commitMax: 1,
            lengthMax: 4, requestMax: 2)
        let result = await expectSafe(options, stateCountMin: 100_000)
        #expect(result.completeCount > 0 && result.failedCount > 0)
    }

    @Test func `the chain rule alone protects several requests in flight`() async {
        let options = ProtocolOptions(sending: .pipeline, deduplicates: false, foreignMax: 1)
        let result = await expectSafe(options, stateCountMin: 20_000)
        #expect(result.completeCount > 0 && result.failedCount > 0)
    }

    @Test func `the predecessor alone protects against commits of an earlier term`() async {
        let options = ProtocolOptions(
            sending: .pipeline, deduplicates: false, mutations: [.everyWriterCommits])
        _ = await expectSafe(options, stateCountMin: 3_000)
    }

    @Test func `the comparison of sequences alone protects one request in flight`() async {
        let options = ProtocolOptions(mutations: [.everyFrameCounts], foreignMax: 1)
        _ = await expectSafe(options, stateCountMin: 10_000)
    }

    @Test func `a writer that repeats no commit needs no new identity`() async {
        let options = ProtocolOptions(
            mutations: [.identityOutlivesCrash], claimMax: 3, commitMax: 1)
        _ = await expectSafe(options, stateCountMin: 10_000)
    }
}
