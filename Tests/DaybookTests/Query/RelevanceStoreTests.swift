import Daybook
import DaybookTestSupport
import DaybookTesting
import Foundation
import Testing

/// Two properties with an index of words, and one without.
private struct Essay: Entity, Equatable {
    var id: Id = 0
    var title = ""
    var text: String?
    var remark: String?

    static let entityDescription = EntityDescription(
        "Essay",
        [
            .property("title", String.self, .index(.text)),
            .property("text", String?.self, .index(.text)), .property("remark", String?.self),
        ])
    static func decode(_ row: borrowing RowReader) throws -> Essay {
        Essay(
            id: row.id, title: try row.read(0), text: try row.read(1), remark: try row.read(2))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(title, at: 0)
        try row.write(text, at: 1)
        try row.write(remark, at: 2)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }

    static var title: Property<Essay, String> { Property("title") }
    static var text: Property<Essay, String?> { Property("text") }
    static var remark: Property<Essay, String?> { Property("remark") }

    /// The words of the three properties.
    var words: [[Substring]] { [title, text ?? "", remark ?? ""].map { $0.split(separator: " ") } }
}

/// Relevance through the public API, compared with an evaluation of the formula over all objects. A
/// failure prints its seed.
@Suite struct RelevanceStoreTests {
    private let directory = TemporaryDirectory()

    private func open() throws -> Store {
        var options = StoreOptions()
        options.isMaintenanceAutomatic = false
        return try Store(directory: directory.url, entities: Essay.self, options: options)
    }

    private static let words = ["big", "bigger", "small", "smaller", "red", "blue"]

    private static func text(_ generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...7, using: &generator)).map { _ in
            words.randomElement(using: &generator) ?? ""
        }.joined(separator: " ")
    }

    /// The condition, and the words that it searches in each property.
    private static let searches: [(Condition<Essay>, [[String]])] = [
        (Essay.title.matches("big"), [["big"], [], []]),
        (Essay.title.matches("big") || Essay.text.matches("big"), [["big"], ["big"], []]),
        (
            Essay.text.matches("small red") || Essay.remark.matches("blu*")
                || Essay.text.matches("RED big*"),
            [[], ["small", "red", "big*"], ["blu*"]]
        ),
        (
            Essay.title.matches("red") && !Essay.text.matches("blue"),
            [["red"], [], []]
        ),
        (
            Essay.title.matchesAny("big blue") || Essay.text.matchesPhrase("big red"),
            [["big", "blue"], ["big", "red"], []]
        ),
    ]

    private static func isMatch(_ wanted: String, _ word: Substring) -> Bool {
        wanted.hasSuffix("*") ? word.hasPrefix(wanted.dropLast()) : word == wanted
    }

    /// The relevance of an object among all objects.
    private static func score(
        _ object: Essay, _ searched: [[String]], among all: [Essay]
    ) -> Double {
        var score = 0.0
        for (place, wanted) in searched.enumerated() {
            let texts = all.map { $0.words[place] }.filter { !$0.isEmpty }
            let average = Double(texts.map(\.count).reduce(0, +)) / Double(max(1, texts.count))
            let own = object.words[place]
            for word in wanted {
                let count = Double(own.count { isMatch(word, $0) })
                let having = Double(texts.count { text in text.contains { isMatch(word, $0) } })
                if count == 0 { continue }
                let weight = log(1 + (Double(texts.count) - having + 0.5) / (having + 0.5))
                let length = 1.2 * (0.25 + 0.75 * Double(own.count) / average)
                score += weight * count * 2.2 / (count + length)
            }
        }
        return score
    }

    private static func check(_ all: Query<Essay>, _ objects: [Id: Essay], _ note: Comment) throws {
        let stored = Array(objects.values)
        for (condition, searched) in searches {
            let query = all.and(condition).orderedByRelevance()
            let found = try query.findWithScores()
            #expect(found.count == (try all.and(condition).count()), note)
            for result in found {
                let expected = score(result.object, searched, among: stored)
                #expect(abs(result.score - expected) < 1e-9, note)
                #expect(objects[result.object.id] == result.object, note)
            }
            let scores = found.map(\.score)
            #expect(scores == scores.sorted(by: >), note)
            // The best ones do not depend on the number of results.
            let best = try query.limit(3).findWithScores()
            #expect(best.map(\.object.id) == found.prefix(3).map(\.object.id), note)
            #expect(best.map(\.score) == Array(scores.prefix(3)), note)
        }
    }

    @Test(arguments: Seeds.first(4))
    func `relevance equals the formula over all objects, in every version`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var store = try open()
        var objects: [Id: Essay] = [:]
        var past: [(sequence: UInt64, objects: [Id: Essay])] = []
        for round in 0..<12 {
            let box = store.box(for: Essay.self)
            let before = objects
            let isUndone = Int.random(in: 0..<4, using: &generator) == 0
            try? store.write {
                for _ in 0..<Int.random(in: 1...12, using: &generator) {
                    let id = objects.keys.sorted().randomElement(using: &generator)
                    if let id, Int.random(in: 0..<4, using: &generator) == 0 {
                        try box.remove(id)
                        objects[id] = nil
                        continue
                    }
                    let isNew = Int.random(in: 0..<2, using: &generator) == 0
                    var object = Essay(id: isNew ? 0 : id ?? 0, title: Self.text(&generator))
                    object.text = Bool.random(using: &generator) ? Self.text(&generator) : nil
                    object.remark = Bool.random(using: &generator) ? Self.text(&generator) : nil
                    object.id = try box.put(object)
                    objects[object.id] = object
                }
                try Self.check(box.query(), objects, "seed \(seed), uncommitted in round \(round)")
                if isUndone { throw CancellationError() }
            }
            if isUndone { objects = before }
            try Self.check(box.query(), objects, "seed \(seed), round \(round)")
            past.append((try store.sequence, objects))
            if let (sequence, objects) = past.randomElement(using: &generator) {
                let view = try store.view(at: .sequence(sequence))
                try Self.check(view.box(for: Essay.self).query(), objects, "seed \(seed), past")
            }
            if round % 4 == 3 {
                try store.close()
                store = try open()
            }
            if round == 6 {
                try store.compact(keeping: .latest)
                past = []
            }
        }
        try Self.check(store.box(for: Essay.self).query(), objects, "seed \(seed), at the end")
        try store.box(for: Essay.self).removeAll()
        try Self.check(store.box(for: Essay.self).query(), [:], "seed \(seed), empty")
        try store.close()
    }

    @Test func `a word in the second property counts as much as in the first`() throws {
        let store = try open()
        let box = store.box(for: Essay.self)
        try box.put([
            Essay(title: "big", text: "small"), Essay(title: "small", text: "big"),
            Essay(title: "red", text: "big big"),
        ])
        let query = box.query(Essay.title.matches("big") || Essay.text.matches("big"))
        let scores = try query.findWithScores()
        #expect(scores.allSatisfy { $0.score > 0 })
        #expect(scores.count == 3)
        let both = try box.query(
            Essay.title.matches("small") || Essay.text.matches("big")
        ).orderedByRelevance().findIdsWithScores()
        #expect(both.first?.id == 2)
        try store.close()
    }
}
