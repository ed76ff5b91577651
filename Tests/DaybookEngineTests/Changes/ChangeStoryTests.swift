import DaybookBytes
@testable import DaybookEngine
import DaybookTestSupport
import Synchronization
import Testing

@Suite struct ChangeStoryTests {
    // `DAYBOOK_ROUNDS=100 swift test --filter ChangeStoryTests` runs 8,000 histories.
    @Test func `every subscriber receives the changes in the log, without a gap or a duplicate`()
        throws
    {
        var counts: [String: Int] = [:]
        for seed in Seeds.first(80 * Seeds.rounds) {
            var story = try ChangeStory(seed: seed)
            do {
                for _ in 0..<120 { try story.step() }
                try story.finish()
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
            counts.merge(story.counts, uniquingKeysWith: +)
        }
        for what in [
            "close", "kill", "power cut", "blocks", "latest", "truncated", "follow",
            "acknowledged", "cut acknowledgement", "given again", "consumer truncated",
        ] {
            #expect(counts[what] ?? 0 > 0, "\(what)")
        }
        #expect(counts["read"] ?? 0 > 1000)
        #expect(counts["consumed"] ?? 0 > 1000)
    }
}
