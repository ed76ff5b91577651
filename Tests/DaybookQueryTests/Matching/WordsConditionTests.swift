import DaybookRecords
@testable import DaybookQuery
import Testing

@Suite struct WordsConditionTests {
    @Test(arguments: [
        ("big small", ["a big and small thing", "small, BIG"]), ("bí", []),
        ("bi*", ["a big and small thing", "Bigger", "small, BIG"]),
        ("big", ["a big and small thing", "small, BIG"]),
        ("a-b*", ["a b", "a big and small thing"]),
        ("sma* bi*", ["a big and small thing", "small, BIG"]),
        ("Ünder", ["under"]), ("猫", ["黒猫だ"]), ("猫*", ["黒猫だ"]), ("small bigger", []),
    ])
    func `all words must occur, and words with a star match prefixes`(
        words: String, texts: [String]
    ) throws {
        let fixture = try QueryFixture()
        let all = ["a big and small thing", "small, BIG", "Bigger", "", "a b", "under", "黒猫だ"]
        var ids: [String: UInt64] = [:]
        for text in all {
            let values: [String: FixtureValue] = ["stringOptional": .value(.text(text))]
            ids[text] = try fixture.put("Thing", values)
        }
        let holder = try fixture.put("Thing", links: ["owner": [ids["under"] ?? 0]])
        let condition = QueryCondition.matches(PropertyPath(["stringOptional"]), words)
        #expect(try fixture.ids(condition) == texts.compactMap { ids[$0] }.sorted())
        let linked = QueryCondition.matches(PropertyPath(["owner", "stringOptional"]), words)
        #expect(try fixture.ids(linked) == (texts == ["under"] ? [holder] : []))
        try fixture.engine.close()
    }

    @Test func `a star applies only to the word directly before it`() {
        let words = QueryWord.words(of: "Big sma* * x")
        #expect(
            words == [
                QueryWord("big", isPrefix: false), QueryWord("sma", isPrefix: true),
                QueryWord("x", isPrefix: false),
            ])
        #expect(QueryWord.words(of: "a, *").map(\.isPrefix) == [false])
        #expect(QueryWord.words(of: "a a A*").count == 2)
    }
}
