import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
import DaybookRecords
import DaybookTesting
import DaybookTestSupport
import Testing

/// Compares case-insensitive and text indexes of random strings with a scan. A failure prints its
/// seed.
@Suite struct TextIndexTests {
    private let fileSystem = MemoryFileSystem()

    private static let parts = [
        "Ledger", "ledger", "LEDGERS", "páge", "Page", "ink", "INK", "東京", "Ōsaka", "straße",
        "STRASSE", "Σίσυφος", "don't", "a", "ab", "\u{301}", "…", "ｶﾞ", "e\u{301}t", "ÉT", "1", "½",
    ]

    private static func text(_ generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...6, using: &generator)).map { _ in
            parts.randomElement(using: &generator) ?? ""
        }.joined(separator: [" ", ", ", "-", ""].randomElement(using: &generator) ?? " ")
    }

    private func change(
        _ store: AccountStore, _ texts: inout [UInt64: String], _ count: Int,
        _ generator: inout SeededGenerator, in transaction: WriteTransaction
    ) throws {
        for _ in 0..<count {
            let known = texts.keys.sorted().randomElement(using: &generator)
            if let known, Int.random(in: 0..<5, using: &generator) == 0 {
                _ = try transaction.changes.remove(store.entity, known)
                texts[known] = nil
                continue
            }
            let text = Self.text(&generator)
            let isNew = Int.random(in: 0..<3, using: &generator) > 0
            let id = try store.put(
                Account(code: Int64(texts.count), city: text), id: isNew ? 0 : known ?? 0,
                in: transaction)
            texts[id] = text
        }
    }

    private func ids(
        _ access: QueryAccess, _ store: AccountStore, _ index: IndexPlan.Index, _ probe: IndexProbe
    ) throws -> [UInt64] {
        var found: [UInt64] = []
        try access.forEachId(
            index, from: probe.bytes, before: IndexProbe.end(of: probe.bytes), isDescending: false
        ) {
            found += $0
            return true
        }
        let count = try access.count(
            index, from: probe.bytes, before: IndexProbe.end(of: probe.bytes))
        #expect(count == found.count)
        let unlisted = try access.unlisted(store.entity, in: index)
        return found.filter { !unlisted.contains($0) }
    }

    /// Looks up words, prefixes and whole strings in both indexes.
    private func check(
        _ access: QueryAccess, _ store: AccountStore, _ texts: [UInt64: String], _ seed: UInt64
    ) throws {
        let indexes = try access.indexes(of: store.entity)
        let words = try #require(indexes.first { $0.form == .text })
        let folded = try #require(indexes.first { $0.form == .folded })
        let unlisted = Set(try access.unlisted(store.entity, in: words))
        let listed = texts.filter { !unlisted.contains($0.key) }
        let wordsOf = listed.mapValues { TextWords.words(of: $0) }
        let known = Set(Self.parts.flatMap { TextWords.words(of: $0) }).union(["none", "ledgerink"])
        for word in known {
            let wanted = wordsOf.filter { $0.value.contains(word) }.map(\.key).sorted()
            let found = try ids(access, store, words, IndexProbe(word: word, isPrefix: false))
            #expect(found == wanted, "seed \(seed): \(word)")
            let start = String(word.unicodeScalars.prefix(2))
            let all = wordsOf.flatMap { id, words in
                Set(words).filter { $0.utf8.starts(with: start.utf8) }.map { _ in id }
            }
            let begun = try ids(access, store, words, IndexProbe(word: start, isPrefix: true))
            #expect(begun.sorted() == all.sorted(), "seed \(seed): \(start)*")
        }
        func small(_ text: String) -> String {
            TextFolding.fold(text, ignoresCase: true, ignoresDiacritics: false)
        }
        for text in Set(texts.values).sorted().prefix(12) {
            var probe = IndexProbe()
            probe.append(Array(small(text).utf8).span, .string)
            let wanted = listed.filter { small($0.value).utf8.elementsEqual(small(text).utf8) }
            let found = try ids(access, store, folded, probe)
            #expect(found.sorted() == wanted.map(\.key).sorted(), "seed \(seed)")
            probe = IndexProbe()
            probe.append(prefix: Array(small(text).utf8.prefix(3)).span)
            let begun = listed.filter {
                small($0.value).utf8.starts(with: small(text).utf8.prefix(3))
            }
            #expect(
                try ids(access, store, folded, probe).sorted() == begun.map(\.key).sorted(),
                "seed \(seed)")
        }
    }

    @Test(arguments: Seeds.first(10))
    func `an index finds the same words and strings as a scan`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let indexes = [AccountStore.words, AccountStore.folded]
        var store = try AccountStore(fileSystem, indexes: indexes)
        var texts: [UInt64: String] = [:]
        for round in 0..<6 {
            try store.engine.write { transaction in
                try change(store, &texts, 30, &generator, in: transaction)
                // Also within the transaction: the index is not used for the objects that it
                // changed.
                if round % 2 == 0 {
                    try store.engine.query { try check($0, store, texts, seed) }
                }
            }
            try store.engine.query { try check($0, store, texts, seed) }
            switch round {
            case 1: try store.engine.writeSnapshotAndPrune()
            case 2:
                try store.closeProven()
                store = try AccountStore(fileSystem, indexes: indexes)
            case 3: _ = try store.engine.compact(.latest, sealsActive: true)
            case 4:
                let reader = try AccountStore(fileSystem, indexes: indexes, access: .read)
                try reader.engine.query { try check($0, reader, texts, seed) }
                try reader.closeProven()
            default: break
            }
        }
        let report = try Engine.verify(AccountStore.path, fileSystem)
        #expect(report.severity ?? .note == .note, "\(report.findings)")
        try store.closeProven()
    }

    @Test func `text indexes are built over existing objects, concurrently with a writer`() throws {
        var generator = SeededGenerator(seed: 7)
        let store = try AccountStore(fileSystem, indexes: [])
        var texts: [UInt64: String] = [:]
        try store.engine.write { try change(store, &texts, 400, &generator, in: $0) }
        let indexes = [AccountStore.words, AccountStore.folded]
        _ = try store.engine.register([AccountStore.declaration(indexes)])
        while try store.engine.buildIndexSlice(limit: 30) {
            try store.engine.write { try change(store, &texts, 3, &generator, in: $0) }
        }
        try store.engine.query { try check($0, store, texts, 7) }
        try store.closeProven()
    }

    @Test func `a refused index does not change the schema`() throws {
        let store = try AccountStore(fileSystem, indexes: [AccountStore.words])
        for index in [
            IndexDeclaration(columns: ["code"], kind: .text),
            IndexDeclaration(columns: ["city", "email"], kind: .text),
            IndexDeclaration(columns: ["city"], kind: .text, isUnique: true),
            IndexDeclaration(columns: ["level"], kind: .folded),
            IndexDeclaration(columns: ["email"], kind: .folded, isPrimaryKey: true),
        ] {
            expectError(.schemaMismatch) {
                _ = try store.engine.register([AccountStore.declaration([index])])
            }
        }
        #expect(
            try store.engine.register([AccountStore.declaration([AccountStore.words])])
                == [store.layout])
        try store.closeProven()
    }

    @Test func `a text index that lacks a word is found to be damaged`() throws {
        let store = try AccountStore(fileSystem, indexes: [AccountStore.words])
        let id = try store.put(Account(code: 1, city: "one two"))
        let index = try #require(store.engine.schemas.traits(of: store.entity).plan?.indexes.first)
        #expect(try store.engine.checkReplay().hasEqualIndexes)
        let space = store.engine.slot.current
        space.begin(sequence: try store.engine.visibleSequence + 1)
        let key = Array("two\0".utf8) + [0, 0, 0, 0, 0, 0, 0, UInt8(id)]
        #expect(try space.remove(index.tree, bytes: key.span) == id)
        space.publish(space.end())
        #expect(try !store.engine.checkReplay().hasEqualIndexes)
        try store.engine.close()
    }
}
