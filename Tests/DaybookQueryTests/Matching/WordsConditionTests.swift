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

    @Test(arguments: [
        (WordTest.any, "big small", [1, 2, 4, 5]), (.any, "rot* none", [5]), (.any, "none", []),
        (.any, "big", [1, 2, 4, 5]), (.phrase, "big small", [1, 5]),
        (.phrase, "Small, big!", [2, 5]),
        (.phrase, "big big", [5]), (.phrase, "big big big", []), (.phrase, "big sma*", [1, 4, 5]),
        (.phrase, "big", [1, 2, 4, 5]), (.phrase, "漢字", [3]), (.all, "漢字", [3, 6]),
        (.phrase, "small bi* rot*", [5]), (.all, "small big", [1, 2, 5]),
    ])
    func `any word, all words and phrases`(test: WordTest, words: String, found: [UInt64]) throws {
        let texts = [
            "a BIG-small thing", "small big", "漢字だ", "Big smaller", "big big small big ROTTEN",
            "字と漢",
        ]
        let index = IndexDeclaration(columns: ["text"], kind: .text)
        for indexes in [[], [index]] {
            let text = FieldDeclaration(name: "text", type: .string)
            let fixture = try QueryFixture(
                [EntityDeclaration(name: "Note", fields: [text], indexes: indexes)],
                backlinks: [:])
            for text in texts { try fixture.put("Note", ["text": .value(.text(text))]) }
            let condition = QueryCondition.matches(PropertyPath(["text"]), words, test)
            #expect(try fixture.ids(condition, of: "Note") == found)
            let runner = try QueryRunner(
                QueryDefinition(condition), of: fixture.number("Note"), in: fixture.model,
                hint: indexes.isEmpty ? .scan : .indexes([1]))
            #expect(try fixture.engine.query { try runner.ids($0) } == found)
            try fixture.engine.close()
        }
    }

    @Test func `a phrase counts every word of a search, and other searches count distinct ones`()
        throws
    {
        let fixture = try QueryFixture()
        let resolver = ConditionResolver(fixture.model)
        let path = PropertyPath(["string"])
        let words = String(repeating: "a b ", count: 200)
        for test in WordTest.allCases {
            let condition = QueryCondition.matches(path, words, test)
            let isAccepted =
                (try? resolver.resolve(condition, of: fixture.number("Thing"))) != nil
            #expect(isAccepted == (test != .phrase))
        }
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
