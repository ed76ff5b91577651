/// Generates the objects of the workload. Item n is the same in every run and for every peer.
struct ItemGenerator {
    private static let wordCount: UInt64 = 2000
    static let customerCount: UInt64 = 10_000
    static let firstDate: Int64 = 1_700_000_000_000

    private let words: [String]
    private let categories: [String]

    init() {
        var random = RandomSource(42)
        words = (0..<Self.wordCount).map { _ in Self.word(&random) }
        categories = (0..<50).map { "category\($0 / 10)\($0 % 10)" }
    }

    /// Returns the item with a number, counted from 1, without an id.
    func item(_ number: UInt64) -> Item {
        var random = RandomSource(number &* 0x9E37_79B9_7F4A_7C15 &+ 7)
        let text = text(&random)
        let i32 = Int32(random.next(below: 1_000_000))
        let i64 = Int64(bitPattern: random.next())
        let f64 = Double(random.next(below: 100_000_000)) / 100
        let flag = random.next() & 1 == 1
        // Dates increase with the number, with an hour of jitter.
        let jitter = Int64(random.next(below: 3_600_000))
        return Item(
            id: 0, text: text, i32: i32, i64: i64, f64: f64, flag: flag,
            date: Self.firstDate + Int64(number) * 1000 + jitter,
            category: categories[Int(random.next(below: 50))],
            customerId: 1 + random.next(below: Self.customerCount))
    }

    /// Appends words until the string has at least 16 bytes.
    func text(_ random: inout RandomSource) -> String {
        var text = ""
        while true {
            text += words[Int(random.next(below: Self.wordCount))]
            if text.utf8.count >= 16 { return text }
            text += " "
        }
    }

    private static func word(_ random: inout RandomSource) -> String {
        let vowels = Array("aeiou".utf8)
        let consonants = Array("bcdfghjklmnpqrstvwxyz".utf8)
        let first = random.next()
        let length = 3 + Int(first % 7)
        var letters = [UInt8(ascii: "a") + UInt8((first >> 8) % 26)]
        while letters.count < length {
            let drawn = random.next()
            letters.append(
                letters.count % 2 == 1 ? vowels[Int(drawn % 5)] : consonants[Int(drawn % 21)])
        }
        return String(decoding: letters, as: UTF8.self)
    }
}
