import Testing

/// Explores wrong protocols, because an exploration that finds no error in them proves nothing.
@Suite(.timeLimit(.minutes(5))) struct ProtocolMutationTests {
    private func expect(_ violation: ProtocolViolation, _ options: ProtocolOptions) async {
        let result = await ProtocolExplorer.explore(options)
        #expect(result.violation == violation, "\(result.counterexample)")
        #expect(!result.counterexample.isEmpty)
    }

    @Test func `requests in flight need the chain rule`() async {
        await expect(
            .commitOfAnotherWriter,
            ProtocolOptions(sending: .pipeline, mutations: [.everyFrameCounts]))
    }

    @Test func `a refusal is no proof`() async {
        await expect(.commitIsInLogAfterFailure, ProtocolOptions(mutations: [.refusalIsProof]))
    }

    @Test func `a read that finds nothing is no proof`() async {
        await expect(.commitIsInLogAfterFailure, ProtocolOptions(mutations: [.emptyReadIsProof]))
    }

    @Test func `each claim needs a new term`() async {
        await expect(.termsDoNotAscend, ProtocolOptions(mutations: [.claimKeepsTerm]))
    }

    @Test func `a repeated frame has the same identity`() async {
        await expect(.commitIsInLogAfterFailure, ProtocolOptions(mutations: [.repeatedFrameIsNew]))
    }

    @Test func `a repeated frame has the same predecessor`() async {
        await expect(.valueIsInLogTwice, ProtocolOptions(mutations: [.repeatedFrameMoves]))
    }

    @Test func `a stream without comparison needs the chain rule`() async {
        await expect(
            .termsDoNotAscend,
            ProtocolOptions(
                deduplicates: false, mutations: [.everyFrameCounts, .appendWithoutComparison],
                claimMax: 1))
    }

    @Test func `an answer with an unexpected sequence is no proof`() async {
        await expect(
            .acknowledgedCommitIsMissing,
            ProtocolOptions(
                deduplicates: false,
                mutations: [.everySequenceIsExpected, .appendWithoutComparison]))
    }

    @Test func `a commit at the place of a claim needs a new claim`() async {
        await expect(
            .acknowledgedCommitIsMissing,
            ProtocolOptions(mutations: [.onlyClaimsSupersede]))
    }

    @Test func `a writer advances after a message that it skips`() async {
        await expect(
            .writerNeverFinishes,
            ProtocolOptions(mutations: [.skippedMessageStays], foreignMax: 1))
    }

    @Test func `each start of a writer needs a new identity`() async {
        await expect(
            .valueIsInLogTwice,
            ProtocolOptions(
                retriesAfterCrash: true, mutations: [.identityOutlivesCrash], claimMax: 3,
                commitMax: 1))
    }

    @Test func `a commit after a crash follows the claim`() async {
        await expect(
            .valueIsInLogTwice,
            ProtocolOptions(
                retriesAfterCrash: true, mutations: [.retryPrecedesClaim], claimMax: 3,
                commitMax: 1))
    }

    @Test func `a commit that failed leaves the local log`() async {
        await expect(
            .commitIsInLogAfterFailure,
            ProtocolOptions(mutations: [.failedCommitStays], claimMax: 3))
    }

    /// The stream recognizes a frame that it has at a place where the frame does not count, so it
    /// never stores the frame at the right place. A batch has one place, so it has no such frames.
    @Test func `a stream that recognizes repetitions blocks separate requests in flight`() async {
        await expect(.writerNeverFinishes, ProtocolOptions(sending: .pipeline, foreignMax: 1))
    }
}
