import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
@testable import DaybookQuery
import DaybookTesting
import DaybookTestSupport
import Foundation
import Testing

/// Relevance with and without a text index, compared with the formula and Foundation's logarithm. A
/// failure prints its seed.
@Suite struct RelevanceTests {
    private struct Texts {
        let engine: Engine
        let layout: EntityLayout
        let column: QueryColumn

        init(isIndexed: Bool) throws {
            var options = EngineOptions()
            options.isMaintenanceAutomatic = false
            options.log.preallocationStepBytes = 16 << 10
            engine = try Engine.open(
                "/texts", MemoryFileSystem(), access: .write, options: options)
            let words = IndexDeclaration(columns: ["text"], kind: .text)
            layout = try engine.register([
                EntityDeclaration(
                    name: "Note",
                    fields: [FieldDeclaration(name: "text", type: .string, isOptional: true)],
                    indexes: isIndexed ? [words] : [])
            ])[0]
            column = QueryColumn([
                QueryProperty(
                    name: "text", propertyID: layout.fields[0].propertyID,
                    entity: layout.entityID, shape: layout.fields[0].shape)
            ])
        }

        func put(_ text: String?, id: UInt64 = 0, in transaction: WriteTransaction) throws {
            var encoder = RowEncoder(RowLayout(layout))
            if let text { try encoder.set(text: text, at: 0) }
            encoder.finish()
            try transaction.changes.put(
                layout.entityID, id, layout: layout.layoutID, row: encoder.row)
        }

        /// Returns the scores of all objects, in the order of their ids.
        func scores(_ words: [QueryWord], _ access: QueryAccess) throws -> [Double] {
            let relevance = try Relevance(
                [ColumnSearch(column, words)], entity: layout.entityID, access: access)
            var scores: [Double] = []
            try access.scan(layout.entityID) { row, layout, id in
                scores.append(try relevance.score(of: row, layout: layout, id: id))
                return true
            }
            return scores
        }
    }

    private static func expected(_ texts: [String?], _ words: [QueryWord]) -> [Double] {
        let found = texts.map { $0.map { TextWords.words(of: $0) } ?? [] }
        let textCount = Double(found.count { !$0.isEmpty })
        let average = Double(found.map(\.count).reduce(0, +)) / max(1, textCount)
        func count(_ word: QueryWord, _ words: [String]) -> Double {
            Double(
                words.filter { word.isPrefix ? $0.hasPrefix(word.text) : $0 == word.text }.count)
        }
        return found.map { text in
            words.reduce(0) { sum, word in
                let have = Double(found.filter { count(word, $0) > 0 }.count)
                let weight = log(1 + (textCount - have + 0.5) / (have + 0.5))
                let f = count(word, text)
                guard f > 0 else { return sum }
                let length = 0.25 + 0.75 * Double(text.count) / average
                return sum + weight * f * 2.2 / (f + 1.2 * length)
            }
        }
    }

    private func agree(_ one: [Double], _ other: [Double]) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { abs($0 - $1) < 1e-12 }
    }

    @Test(arguments: Seeds.first(8))
    func `scores equal the formula, with an index and without`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let words = ["big", "bigger", "small", "smaller", "smart", "BIG", "漢", "é"]
        var texts: [String?] = (0..<40).map { _ in
            guard Int.random(in: 0..<8, using: &generator) > 0 else { return nil }
            return (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                words.randomElement(using: &generator) ?? ""
            }.joined(separator: " ")
        }
        let stores = [try Texts(isIndexed: true), try Texts(isIndexed: false)]
        let queries: [[QueryWord]] = [
            [QueryWord("big", isPrefix: false)], [QueryWord("sma", isPrefix: true)],
            [QueryWord("big", isPrefix: true), QueryWord("small", isPrefix: false)],
            [QueryWord("none", isPrefix: false), QueryWord("e", isPrefix: false)],
        ]
        for store in stores {
            try store.engine.write { transaction in
                for text in texts { try store.put(text, in: transaction) }
            }
        }
        func check(_ query: [QueryWord]) throws {
            let scores = try stores.map { store in
                try store.engine.query { try store.scores(query, $0) }
            }
            #expect(scores[0] == scores[1], "seed \(seed)")
            #expect(agree(scores[0], Self.expected(texts, query)), "seed \(seed): \(query)")
        }
        for query in queries { try check(query) }
        // Within a transaction, whose changes the index does not contain.
        texts[3] = "big small smallest"
        texts[5] = nil
        let changed = texts
        for store in stores {
            try store.engine.write { transaction in
                try store.put(changed[3], id: 4, in: transaction)
                try store.put(changed[5], id: 6, in: transaction)
                for query in queries {
                    let scores = try store.engine.query { try store.scores(query, $0) }
                    #expect(agree(scores, Self.expected(changed, query)), "seed \(seed)")
                }
            }
        }
        for query in queries { try check(query) }
    }

    @Test func `rare words, frequent occurrences and short strings increase the relevance`() throws
    {
        let store = try Texts(isIndexed: true)
        try store.engine.write { transaction in
            for text in [
                "common rare", "common common", "common", "common and a long text about nothing",
                "rare rare", "other", nil, "",
            ] { try store.put(text, in: transaction) }
        }
        let words = ["common", "rare"].map { QueryWord($0, isPrefix: false) }
        let scores = try store.engine.query { try store.scores(words, $0) }
        #expect(scores[4] > scores[1] && scores[0] > scores[2])
        #expect(scores[1] > scores[2] && scores[2] > scores[3] && scores[3] > 0)
        #expect(Array(scores[5...]) == [0, 0, 0])
    }

    @Test func `no words give no relevance, and a repeated word counts once`() throws {
        let store = try Texts(isIndexed: false)
        let word = QueryWord("a", isPrefix: false)
        #expect(try store.engine.query { try store.scores([word], $0) } == [])
        try store.engine.write { try store.put("…", in: $0) }
        #expect(try store.engine.query { try store.scores([word], $0) } == [0])
        try store.engine.write { try store.put("a b", in: $0) }
        try store.engine.query { access in
            let once = try store.scores([word], access)
            #expect(once[1] > 0)
            #expect(try store.scores([word, word], access) == once)
        }
    }

    @Test func `the logarithm equals that of the system except for the last bits`() {
        for number in [1, 1.0000001, 1.5, 1.9999999, 2, 2.718281828459045, 3, 1e6, 1e18, 7.25e300] {
            let difference = abs(Relevance.logarithm(number) - log(number))
            #expect(difference <= 4e-16 * max(1, log(number)), "\(number)")
        }
        #expect(Relevance.logarithm(1) == 0)
    }

    @Test func `an index of another property with the same number is not used`() throws {
        func scores(isIndexed: Bool) throws -> [Double] {
            let words = IndexDeclaration(columns: ["text"], kind: .text)
            let fixture = try QueryFixture(
                [
                    EntityDeclaration(
                        name: "Place", kind: .embedded,
                        fields: [FieldDeclaration(name: "text", type: .string)]),
                    EntityDeclaration(
                        name: "Note",
                        fields: [
                            FieldDeclaration(name: "text", type: .string),
                            FieldDeclaration(
                                name: "home", shape: ValueShape(.embedded, entityName: "Place")),
                        ], indexes: isIndexed ? [words] : []),
                ], backlinks: [:])
            for (text, home) in [("red", "blue"), ("red", "red red"), ("red", "green")] {
                try fixture.put(
                    "Note",
                    [
                        "text": .value(.text(text)),
                        "home": .embedded(["text": .value(.text(home))]),
                    ])
            }
            let condition = QueryCondition.matches(PropertyPath(["home", "text"]), "red")
            let runner = try QueryRunner(
                QueryDefinition(condition), of: fixture.number("Note"), in: fixture.model)
            let scored = try fixture.engine.query { try runner.scoredRows($0) }
            #expect(scored.map(\.row.id) == [2])
            try fixture.engine.close()
            return scored.map(\.score)
        }
        #expect(try scores(isIndexed: true) == scores(isIndexed: false))
    }
}
