import DaybookBytes
import DaybookPages
import Testing

/// One entry of a map from words.
struct WordEntry: Hashable {
    var key: UInt64
    var value: WordValue
}

/// The expected content of three trees, one of each kind, in plain collections.
struct ModelTree {
    static let wordTree: TreeID = 7
    static let pairTree: TreeID = 1_000_000
    static let byteTree: TreeID = 71

    var words: [UInt64: WordValue] = [:]
    var pairs: Set<PairEntry> = []
    var bytes: [[UInt8]: UInt64] = [:]

    /// Compares everything: counts, lookups, cursors in both directions.
    func expectEqual(
        _ reader: PageReader, _ comment: @autoclosure () -> Comment,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let wordCount = try reader.count(Self.wordTree)
        #expect(wordCount == words.count, comment(), sourceLocation: sourceLocation)
        let wordEntries = words.sorted { $0.key < $1.key }
            .map { WordEntry(key: $0.key, value: $0.value) }
        #expect(try Self.words(reader) == wordEntries, comment(), sourceLocation: sourceLocation)
        for (key, value) in words {
            let found = try reader.get(Self.wordTree, key)
            if found != value { #expect(found == value, comment(), sourceLocation: sourceLocation) }
        }

        let pairCount = try reader.count(Self.pairTree)
        #expect(pairCount == pairs.count, comment(), sourceLocation: sourceLocation)
        let pairEntries = pairs.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
        #expect(try Self.pairs(reader) == pairEntries, comment(), sourceLocation: sourceLocation)
        for pair in pairs where try !reader.contains(Self.pairTree, pair.first, pair.second) {
            #expect(Bool(false), "\(pair) is missing: \(comment())", sourceLocation: sourceLocation)
        }

        let byteCount = try reader.count(Self.byteTree)
        #expect(byteCount == bytes.count, comment(), sourceLocation: sourceLocation)
        let keys = bytes.keys.sorted { $0.precedes($1) }
        let entries = try Self.bytes(reader)
        #expect(entries.map(\.key) == keys, comment(), sourceLocation: sourceLocation)
        #expect(
            entries.map(\.value) == keys.map { bytes[$0] }, comment(),
            sourceLocation: sourceLocation)
        for (key, value) in bytes {
            let found = try reader.get(Self.byteTree, bytes: key.span)
            if found != value { #expect(found == value, comment(), sourceLocation: sourceLocation) }
        }
    }

    /// All entries.
    static func words(_ reader: PageReader) throws -> [WordEntry] {
        var cursor = try reader.words(wordTree)
        var entries: [WordEntry] = []
        while let (key, value) = try cursor.next() {
            entries.append(WordEntry(key: key, value: value))
        }
        return entries
    }

    static func pairs(_ reader: PageReader) throws -> [PairEntry] {
        var cursor = try reader.pairs(pairTree)
        var entries: [PairEntry] = []
        while let (first, second) = try cursor.next() {
            entries.append(PairEntry(first: first, second: second))
        }
        return entries
    }

    static func bytes(_ reader: PageReader) throws -> [(key: [UInt8], value: UInt64)] {
        var cursor = try reader.bytes(byteTree)
        var entries: [(key: [UInt8], value: UInt64)] = []
        while let entry = try cursor.next() { entries.append(entry) }
        return entries
    }
}
