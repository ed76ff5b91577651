import DaybookBytes
@testable import DaybookRecords
import DaybookPages
import DaybookTesting
import DaybookTestSupport
import Testing

/// The keys of case-insensitive indexes, and the entries of text indexes. A failure names its seed.
@Suite struct FoldedIndexTests {
    private static let fields = [
        Field(propertyID: 1, name: "title", type: .string, isOptional: true),
        Field(propertyID: 2, name: "number", type: .int32),
        Field(propertyID: 3, name: "tag", type: .string),
        Field(propertyID: 4, name: "data", type: .bytes),
    ]

    private static func plan(
        _ kind: LayoutIndex.Kind, _ properties: [UInt32], isUnique: Bool = false,
        isPrimaryKey: Bool = false
    ) throws -> IndexPlan {
        try IndexPlan(
            layout(
                LayoutIndex(
                    indexID: 1, kind: kind, isUnique: isUnique, isPrimaryKey: isPrimaryKey,
                    propertyIDs: properties)))
    }

    private static func layout(_ index: LayoutIndex) -> EntityLayout {
        EntityLayout(
            layoutID: 1, entityID: 1, entityName: "Book", version: 1, fields: fields,
            indexes: [index])
    }

    private static func key(
        _ plan: IndexPlan, _ title: String?, _ number: Int32 = 0, _ tag: String = ""
    ) throws -> IndexKey {
        var encoder = RowEncoder(plan.layout)
        if let title { try encoder.set(text: title, at: 0) }
        encoder.set(int32: number, at: 1)
        try encoder.set(text: tag, at: 2)
        encoder.finish()
        let index = plan.indexes[0]
        return try IndexKey(index.form, index.columns, of: encoder.row, plan.layout)
    }

    @Test func `texts that differ only in case have the same key`() throws {
        let plan = try Self.plan(.folded, [1, 2, 3])
        let key = try Self.key(plan, "ÉCOLE Σ", 7, "K")
        #expect(try key == Self.key(plan, "école ς", 7, "\u{212A}"))
        #expect(try key != Self.key(plan, "ecole ς", 7, "k"))
        #expect(try key != Self.key(plan, "école ς", 8, "k"))
        var probe = IndexProbe()
        probe.append(Array("école σ".utf8).span, .string)
        #expect(key.bytes.starts(with: probe.bytes))
        probe = IndexProbe()
        probe.append(prefix: Array("éc".utf8).span)
        #expect(key.bytes.starts(with: probe.bytes))
        // Null sorts before all texts.
        let null = try Self.key(plan, nil, 7)
        #expect(null.hasNull && null.bytes.lexicographicallyPrecedes(key.bytes))
    }

    @Test(arguments: Seeds.first(4))
    func `keys sort like the folded texts`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let plan = try Self.plan(.folded, [1, 2])
        let letters = ["a", "A", "é", "É", "ß", "ẞ", "\0", "Z", "z", "Σ", "𐐀", "😀"]
        let rows = (0..<60).map { _ in
            let count = Int.random(in: 0...3, using: &generator)
            let text = (0..<count).map { _ in letters.randomElement(using: &generator) ?? "" }
            return (text.joined(), Int32.random(in: -2...2, using: &generator))
        }
        let keys = try rows.map { try Self.key(plan, $0.0, $0.1).bytes }
        for (one, left) in zip(rows, keys) {
            for (other, right) in zip(rows, keys) {
                let folded = [one.0, other.0].map {
                    TextFolding.fold($0, ignoresCase: true, ignoresDiacritics: false)
                }
                let isLess =
                    Array(folded[0].utf8) == Array(folded[1].utf8)
                    ? one.1 < other.1
                    : folded[0].utf8.lexicographicallyPrecedes(folded[1].utf8)
                #expect(left.lexicographicallyPrecedes(right) == isLess, "seed \(seed)")
            }
        }
    }

    @Test func `the key of a text index has each word once, sorted by bytes`() throws {
        let plan = try Self.plan(.text, [1])
        let key = try Self.key(plan, "The cat, the CAT's hat: Éh!")
        #expect(key.bytes == Array("cat\0eh\0hat\0s\0the\0".utf8))
        #expect(try Self.key(plan, "hat the EH s; cat").bytes == key.bytes)
        #expect(try Self.key(plan, nil).bytes == [])
        #expect(try Self.key(plan, "…").bytes == [])
    }

    @Test func `a long text of few words has a short key`() throws {
        let plan = try Self.plan(.text, [1])
        let text = String(repeating: "tick tock ", count: 50_000) + "end"
        #expect(try Self.key(plan, text).bytes == Array("end\0tick\0tock\0".utf8))
    }

    private static func entries(_ space: PageSpace, _ plan: IndexPlan) throws -> [[UInt8]: UInt64] {
        var found: [[UInt8]: UInt64] = [:]
        var cursor = try space.working.bytes(plan.indexes[0].tree)
        while let entry = try cursor.next() { found[entry.key] = entry.value }
        return found
    }

    @Test func `only the words that differ are written`() throws {
        let plan = try Self.plan(.text, [1])
        let index = plan.indexes[0]
        var changes = KeyChanges()
        let old = try Self.key(plan, "one two three")
        let new = try Self.key(plan, "three four TWO")
        changes.replace(old, by: new, in: index, id: 9)
        // "one" is removed and "four" is inserted, each with 00 and the id.
        #expect(changes.byteCount == 3 + 1 + 8 + 4 + 1 + 8)
        let same = try Self.key(plan, "Two, three, one?")
        var none = KeyChanges()
        none.replace(old, by: same, in: index, id: 9)
        none.replace(nil, by: try Self.key(plan, "…"), in: index, id: 9)
        none.replace(try Self.key(plan, nil), by: try Self.key(plan, ""), in: index, id: 9)
        #expect(none.isEmpty)
        // Without another entry, but the text is longer.
        none.replace(old, by: try Self.key(plan, "two two one three"), in: index, id: 9)
        #expect(!none.isEmpty && none.byteCount == 0)
    }

    @Test(arguments: Seeds.first(8))
    func `index entries follow changes of texts`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let plan = try Self.plan(.text, [1])
        let index = plan.indexes[0]
        let space = PageSpace()
        space.begin(sequence: 1)
        let words = ["a", "ab", "abc", "b", "é", "漢字", "ß", "x1"]
        var texts: [UInt64: String] = [:]
        for _ in 0..<200 {
            let id = UInt64.random(in: 1...12, using: &generator)
            let count = Int.random(in: 0...4, using: &generator)
            let text: String? =
                Int.random(in: 0..<4, using: &generator) == 0
                ? nil
                : (0..<count).map { _ in words.randomElement(using: &generator) ?? "" }
                    .joined(separator: " ")
            var changes = KeyChanges()
            changes.replace(
                try texts[id].map { try Self.key(plan, $0) },
                by: try text.map { try Self.key(plan, $0) }, in: index, id: id)
            try changes.apply(to: space) { _, _ in true }
            texts[id] = text
            var wanted: [[UInt8]: UInt64] = [:]
            for (id, text) in texts {
                for word in TextWords.words(of: text) {
                    wanted[Array(word.utf8) + [0, 0, 0, 0, 0, 0, 0, 0, UInt8(id)]] = id
                }
            }
            #expect(try Self.entries(space, plan) == wanted, "seed \(seed)")
            let counts = texts.mapValues { UInt64(TextWords.words(of: $0).count) }
                .filter { $0.value > 0 }
            let totals = TextTotals(
                textCount: UInt64(counts.count), wordCount: counts.values.reduce(0, +))
            #expect(try space.working.textTotals(ofIndex: index.indexID) == totals)
            for id in UInt64(1)...12 {
                let count = try space.working.wordCount(ofIndex: index.indexID, id)
                #expect(count == counts[id] ?? 0, "seed \(seed)")
            }
        }
        let ids = Set(texts.keys)
        try KeyChanges.Place(index).sweep(ids, from: space)
        #expect(try Self.entries(space, plan).isEmpty)
        #expect(try space.working.textTotals(ofIndex: index.indexID) == TextTotals())
        _ = space.end()
    }

    @Test func `folded indexes cannot be unique and require texts`() throws {
        let refused: [(LayoutIndex.Kind, [UInt32], Bool, Bool, String)] = [
            (.text, [1], true, false, "title"), (.text, [1], false, true, "title"),
            (.folded, [1], true, false, "title"), (.folded, [1, 2], false, true, "title, number"),
            (.text, [2], false, false, "number"), (.text, [1, 3], false, false, "title, tag"),
            (.text, [4], false, false, "data"), (.folded, [2, 4], false, false, "number, data"),
        ]
        for (kind, properties, isUnique, isPrimaryKey, names) in refused {
            do {
                _ = try Self.plan(kind, properties, isUnique: isUnique, isPrimaryKey: isPrimaryKey)
                Issue.record("a \(kind) index over \(names) was taken")
            } catch let error as DaybookError {
                #expect(error.code == .schemaMismatch)
                #expect(error.details == ["entity": "Book", "property": names])
                #expect(error.message.contains(names) && error.message.contains("Book"))
            }
        }
    }

    @Test func `the kinds of indexes keep their numbers`() throws {
        let kinds: [LayoutIndex.Kind] = [.value, .hash, .text, .folded]
        #expect(kinds.map(\.rawValue) == [1, 2, 3, 4])
        for kind in kinds {
            let layout = Self.layout(
                LayoutIndex(
                    indexID: 1, kind: kind, isUnique: false, isPrimaryKey: false, propertyIDs: [1]))
            var writer = ByteWriter()
            layout.encode(to: &writer)
            #expect(try EntityLayout(decoding: writer.span) == layout)
        }
    }

    /// A later release that supports unique indexes of this kind sets the flag; this one rejects
    /// it.
    @Test(arguments: [LayoutIndex.Kind.text, .folded])
    func `an unknown index flag is a newer format`(kind: LayoutIndex.Kind) throws {
        for (isUnique, isPrimaryKey) in [(true, false), (false, true)] {
            var writer = ByteWriter()
            Self.layout(
                LayoutIndex(
                    indexID: 1, kind: kind, isUnique: isUnique, isPrimaryKey: isPrimaryKey,
                    propertyIDs: [1])
            ).encode(to: &writer)
            do {
                _ = try EntityLayout(decoding: writer.span)
                Issue.record("it was read")
            } catch { #expect(error.code == .formatTooNew) }
        }
    }

    @Test func `the probe of a word matches the word, and the probe of a prefix matches more`() {
        let word = IndexProbe(word: "cat", isPrefix: false)
        #expect(word.bytes == Array("cat\0".utf8))
        #expect(IndexProbe.end(of: word.bytes) == Array("cat\u{1}".utf8))
        let beginning = IndexProbe(word: "cat", isPrefix: true)
        #expect(beginning.bytes == Array("cat".utf8))
        #expect(IndexProbe.end(of: beginning.bytes) == Array("cau".utf8))
    }
}
