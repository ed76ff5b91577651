import DaybookBytes
import DaybookQuery
import DaybookTesting
import DaybookTestSupport
import Testing

/// Random and damaged texts: each is a query or a typed error.
@Suite struct QueryTextFuzzTests {
    private static let seeds = Seeds.first(20, found: [], fresh: 5)

    /// Parses a text. Expects that any error has the right type and points into the text.
    @discardableResult
    private func read(_ text: String, _ model: QueryModel, _ comment: Comment) -> Bool {
        do {
            _ = try TextQuery.parse(text, in: model)
            return true
        } catch {
            #expect(error.code == .invalidArgument, comment)
            let offset = Int(error.details["offset"] ?? "") ?? -1
            #expect((0...text.unicodeScalars.count).contains(offset), comment)
            #expect(error.message.utf8.count < 8 << 10, comment)
            return false
        }
    }

    @Test(arguments: seeds) func `a written query is parsed to the same query`(_ seed: UInt64)
        throws
    {
        let model = try PackageModel.model()
        var random = RandomTextQuery(seed: seed, model)
        for _ in 0..<30 {
            let query = random.query()
            let text = QueryTextWriter().text(query)
            let again = try TextQuery.parse(text, in: model)
            guard again == query else {
                Issue.record("seed \(seed): \(text)\n\(query)\n\(again)")
                return
            }
        }
    }

    @Test(arguments: seeds) func `a damaged query is parsed or refused`(_ seed: UInt64)
        throws
    {
        let model = try PackageModel.model()
        var random = RandomTextQuery(seed: seed, model)
        var generator = SeededGenerator(seed: seed ^ 0xDA3A6E)
        var readCount = 0
        for _ in 0..<60 {
            var scalars = Array(QueryTextWriter().text(random.query()).unicodeScalars)
            let other = Array(QueryTextWriter().text(random.query()).unicodeScalars)
            for _ in 0...Int.random(in: 0..<4, using: &generator) {
                let place = Int.random(in: 0...scalars.count, using: &generator)
                let end = min(scalars.count, place + Int.random(in: 0..<12, using: &generator))
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: scalars.removeSubrange(place..<end)
                case 1: scalars.insert(contentsOf: scalars[place..<end], at: place)
                case 2:
                    let start = Int.random(in: 0...other.count, using: &generator)
                    scalars.insert(contentsOf: other[start...].prefix(20), at: place)
                default:
                    let marks = "()[]\"'`\\.,<>=!@-_eExX#\u{0}\u{1B}\n9\u{301}字"
                    scalars.insert(
                        marks.unicodeScalars.randomElement(using: &generator) ?? "(", at: place)
                }
            }
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            if read(String(text), model, "seed \(seed): \(String(text))") { readCount += 1 }
        }
        // Some changes have no effect; most do.
        #expect(readCount < 45, "seed \(seed)")
    }

    @Test(arguments: seeds) func `words and operators in any order are parsed or refused`(
        _ seed: UInt64
    )
        throws
    {
        let model = try PackageModel.model()
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "Package", "Person", "where", "and", "or", "not", "(", ")", "any", "all", "none",
            "name",
            "size", "maintainer", "dependencies", "files", ".", ",", "tags", "labels", "[", "]",
            "\"de\"",
            "==", "<", "-", "<-", "Package", "5", "1.5", "1e5", "'x'", "x'00'", "@2026-01-31", "in",
            "...",
            "..<", "between", "is", "nil", "hasPrefix", "like", "[cd]", "matches", "near", "within",
            "count(", "sum(", "element", "keys", "true", "order", "by", "desc", "nulls", "last",
            "limit",
            "offset", "select", "as", "distinct", "group", "having", "count", "uuid", "date", "nan",
            "inf", "relevance",
        ]
        for _ in 0..<150 {
            let count = Int.random(in: 0..<30, using: &generator)
            let words = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }
            let text = "Package where " + words.joined(separator: " ")
            read(text, model, "seed \(seed): \(text)")
        }
    }

    @Test(arguments: seeds) func `random bytes are parsed or refused`(_ seed: UInt64) throws {
        let model = try PackageModel.model()
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let count = Int.random(in: 0..<200, using: &generator)
            let high: UInt8 = Bool.random(using: &generator) ? 0x7F : 0xFF
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...high, using: &generator) }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!read("Package where name" + text + "(", model, "seed \(seed): \(bytes)"))
        }
    }

    @Test(arguments: [
        "(", "not ", "-", "<-", "\"\\u{", "any files (", "[", "`", "1e", "@", "é", "0",
    ])
    func `a repeated element, up to the maximum length, is parsed or refused`(_ piece: String)
        throws
    {
        let model = try PackageModel.model()
        for prefix in ["Package where ", "Package where size in "] {
            let count = ((64 << 10) - prefix.utf8.count) / piece.utf8.count
            let text = prefix + String(repeating: piece, count: count)
            #expect(!read(text, model, "\(piece) \(count) times behind \(prefix)"))
        }
    }
}
