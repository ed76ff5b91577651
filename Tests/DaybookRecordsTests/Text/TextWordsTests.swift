import DaybookBytes
import DaybookRecords
import Testing

@Suite struct TextWordsTests {
    @Test(
        arguments: [
            ("", []), (" ,.;-!\n\t", []), ("The big, SMALL box.", ["the", "big", "small", "box"]),
            ("don't re-use C++ 2", ["don", "t", "re", "use", "c", "2"]),
            ("Émile ZOLA", ["emile", "zola"]),
            ("Übergröße straße", ["ubergroße", "straße"]), ("١٢٣ ½ Ⅳ", ["١٢٣", "½", "ⅳ"]),
            ("Привет, мир", ["привет", "мир"]), ("Καλημέρα ΚΌΣΜΕ", ["καλημερα", "κοσμε"]),
            ("漢字kana交じり", ["漢", "字", "kana", "交", "し", "り"]),
            ("データ", ["テ", "ー", "タ"]), ("ﾊﾟ", ["ﾊ", "ﾟ"]), ("々〇", ["々", "〇"]),
            ("한국어 문장", ["한국어", "문장"]), ("ภาษาไทย", ["ภาษาไทย"]),
            ("\u{301}", []), ("\u{301}a\u{301}b", ["ab"]), ("漢\u{301}字", ["漢", "字"]),
            ("a\u{200C}b a\u{AD}b", ["a", "b", "a", "b"]), ("हिन्दी", ["हिनदी"]), ("x_y", ["x", "y"]),
            ("👍🏽 ok", ["ok"]), ("a\u{0}b", ["a", "b"]), ("same same", ["same", "same"]),
        ] as [(String, [String])])
    func `a text is split into words`(text: String, expected: [String]) {
        #expect(TextWords.words(of: text) == expected)
    }

    @Test func `folding a text does not change its words`() {
        for text in ["Émile ZOLA", "Καλημέρα ΚΌΣΜΕ", "データ", "हिन्दी", "ภาษาไทย ที่"] {
            let folded = TextFolding.fold(text, ignoresCase: true, ignoresDiacritics: true)
            #expect(TextWords.words(of: folded) == TextWords.words(of: text))
        }
    }

    @Test func `a word is truncated after sixty-four scalars`() {
        let long = String(repeating: "é", count: 100)
        #expect(
            TextWords.words(of: "a \(long) b") == ["a", String(repeating: "e", count: 64), "b"])
        // Diacritics are dropped and not counted.
        let marked = String(repeating: "e\u{301}\u{302}", count: 64)
        #expect(TextWords.words(of: marked + "x") == [String(repeating: "e", count: 64)])
    }

    @Test func `a text may be of any length`() {
        let text = String(repeating: "word ", count: 100_000)
        #expect(TextWords.words(of: text).count == 100_000)
        #expect(TextWords.words(of: String(repeating: "x", count: 1_000_000)).count == 1)
    }

    @Test(
        arguments: [
            ([0x61, 0xFF, 0x62], ["a", "b"]), ([0xC3], []), ([0x61, 0xE6, 0xBC], ["a"]),
            ([0xED, 0xA0, 0x80, 0x61], ["a"]), ([0xF4, 0x90, 0x80, 0x80], []),
        ] as [([UInt8], [String])])
    func `an invalid UTF-8 byte separates words`(bytes: [UInt8], expected: [String]) {
        var words: [String] = []
        TextWords.forEach(in: bytes.span) { word in
            words.append(String(decoding: (0..<word.count).map { word[$0] }, as: UTF8.self))
            return true
        }
        #expect(words == expected)
    }

    @Test func `the visitor of words can stop early`() {
        var count = 0
        TextWords.forEach(in: Array("a b 漢字 c".utf8).span) { _ in
            count += 1
            return count < 3
        }
        #expect(count == 3)
    }

    @Test func `the table of word scalars agrees with Swift's categories`() {
        var wrong: [String] = []
        for number: UInt32 in 0...0x10_FFFF {
            guard let scalar = Unicode.Scalar(number), let age = scalar.properties.age,
                age.major <= 14
            else { continue }
            // A scalar of words joins two letters, is a word of its own, or is dropped.
            let isWord: Bool
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter,
                .otherLetter, .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark,
                .spacingMark, .enclosingMark:
                isWord = true
            default: isWord = false
            }
            let words = TextWords.words(of: "a\(scalar)b")
            if isWord != (words != ["a", "b"]) { wrong.append(scalar.properties.name ?? "?") }
        }
        #expect(wrong == [])
    }
}
