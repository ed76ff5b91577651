import DaybookBytes
import DaybookRecords
import DaybookTesting
import Foundation
import Testing

@Suite struct TextFoldingTests {
    private func small(_ text: String) -> String {
        TextFolding.fold(text, ignoresCase: true, ignoresDiacritics: false)
    }

    private func plain(_ text: String) -> String {
        TextFolding.fold(text, ignoresCase: false, ignoresDiacritics: true)
    }

    private func both(_ text: String) -> String {
        TextFolding.fold(text, ignoresCase: true, ignoresDiacritics: true)
    }

    @Test(arguments: [
        ("", ""), ("Abc-XYZ[\\]^_`{|}~@", "abc-xyz[\\]^_`{|}~@"), ("ÄÖÜẞß", "äöüßß"),
        ("ΣΑΣς", "σασσ"), ("İIıi", "İiıi"), ("ДЁЖ", "дёж"), ("Ⅷ Ⓐ", "ⅷ ⓐ"), ("ǅǆǄ", "ǆǆǆ"),
        ("\u{212A}\u{212B}\u{2126}", "k\u{E5}ω"), ("ᏸᎠꭰ", "ᏰᎠᎠ"), ("𐐀𐐨", "𐐨𐐨"), ("漢字かな", "漢字かな"),
        ("ﬀ", "ﬀ"), ("\u{1F88}", "\u{1F80}"), ("\u{345}", "ι"),
    ])
    func `case is folded scalar by scalar`(text: String, expected: String) {
        #expect(small(text).unicodeScalars.elementsEqual(expected.unicodeScalars))
    }

    @Test(arguments: [
        ("", ""), ("éÉe\u{301}", "eEe"), ("ñöçŞķ", "nocSk"), ("ḗ", "e"), ("Ȫ", "O"), ("ø", "ø"),
        ("łđħ", "łđħ"), ("ß", "ß"), ("각", "각"), ("がぱ", "かは"), ("か\u{3099}", "か"),
        ("й", "и"), ("שׁ", "ש"), ("\u{212B}\u{2126}\u{212A}", "AΩK"), ("豈", "\u{8C48}"),
        ("\u{1D15E}", "\u{1D15E}"), ("ো", "ো"), ("\u{344}x\u{20DD}", "x\u{20DD}"), ("≠", "="),
    ])
    func `diacritics are dropped`(text: String, expected: String) {
        #expect(plain(text).unicodeScalars.elementsEqual(expected.unicodeScalars))
    }

    @Test func `diacritics are dropped before case folding`() {
        #expect(both("ÉCOLE İSTANBUL Ǆ Ǆ\u{30C}") == "ecole istanbul ǆ ǆ")
        #expect(both("\u{345}") == "")
        #expect(both("ΐΪ\u{301}") == "ιι")
        let nothing = TextFolding.fold("É\u{301}", ignoresCase: false, ignoresDiacritics: false)
        #expect(nothing.unicodeScalars.elementsEqual("É\u{301}".unicodeScalars))
    }

    /// Swift's tables may be of a later Unicode version with more scalars.
    private var scalars: [Unicode.Scalar] {
        (0...0x10_FFFF).compactMap { Unicode.Scalar($0) }.filter(isKnown)
    }

    private func isKnown(_ scalar: Unicode.Scalar?) -> Bool {
        scalar?.properties.age.map { $0.major <= 14 } ?? false
    }

    @Test func `the table of small forms agrees with Swift's`() {
        var wrong: [String] = []
        for scalar in scalars {
            let folded = small(String(scalar))
            let properties = scalar.properties
            // A simple folding equals that of the capital letter; a scalar without one does not
            // change.
            let capital = properties.uppercaseMapping
            let lower = properties.lowercaseMapping
            let single = Array(capital.unicodeScalars)
            let isSpecial = scalar == "\u{130}" || scalar == "\u{131}"
            if isSpecial || !properties.changesWhenCaseFolded {
                // Scalars that Swift does not change stay unchanged.
                if folded != String(scalar) { wrong.append("\(properties.name ?? "") changes") }
            } else if lower.unicodeScalars.count == 1, lower != String(scalar) {
                if folded != lower, small(lower) != folded {
                    wrong.append("\(properties.name ?? "") is not \(lower)")
                }
            } else if single.count == 1, small(capital) != folded {
                wrong.append("\(properties.name ?? "") is unlike its capital")
            }
        }
        #expect(wrong == [])
    }

    @Test func `letters that Swift considers case variants fold to the same letter`() {
        var wrong: [String] = []
        for scalar in scalars where scalar != "\u{131}" && scalar != "\u{130}" {
            for other in [scalar.properties.uppercaseMapping, scalar.properties.lowercaseMapping]
            where other.unicodeScalars.count == 1 && isKnown(other.unicodeScalars.first) {
                guard small(other) != small(String(scalar)) else { continue }
                wrong.append(scalar.properties.name ?? "?")
            }
        }
        #expect(wrong == [])
    }

    @Test func `the tables of diacritics and bases agree with Swift's`() {
        var wrong: [String] = []
        // A later Unicode version changed one scalar from nonspacing to spacing.
        for scalar in scalars where scalar != "\u{1171E}" {
            let isMark = scalar.properties.generalCategory == .nonspacingMark
            let parts = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
            let rest = parts.dropFirst().allSatisfy {
                $0.properties.generalCategory == .nonspacingMark
            }
            let expected =
                isMark ? "" : rest ? String(parts.first ?? scalar) : String(scalar)
            if !plain(String(scalar)).unicodeScalars.elementsEqual(expected.unicodeScalars) {
                wrong.append(scalar.properties.name ?? "\(scalar.value)")
            }
        }
        #expect(wrong == [])
    }

    @Test func `folding is idempotent`() {
        var wrong: [Unicode.Scalar] = []
        for scalar in scalars {
            let text = String(scalar)
            for fold in [small, plain, both] where fold(fold(text)) != fold(text) {
                wrong.append(scalar)
            }
            if small(plain(text)) != both(text) { wrong.append(scalar) }
        }
        #expect(wrong == [])
    }

    @Test(
        arguments: [
            [0x80], [0x41, 0xC3], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xFF, 0x42, 0xFE], [0xE6, 0xBC],
            [0xC3, 0x41], [0xF0, 0x9F, 0x98],
        ] as [[UInt8]])
    func `invalid UTF-8 bytes are unchanged`(bytes: [UInt8]) {
        var folded: [UInt8] = [1]
        TextFolding.fold(
            bytes.span, ignoresCase: true, ignoresDiacritics: true, into: &folded)
        #expect(folded == [1] + bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
    }

    @Test func `folding random bytes never traps and is idempotent`() {
        var generator = SeededGenerator(seed: 0xF01D)
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                UInt8.random(
                    in: Bool.random(using: &generator) ? 0...255 : 0xC0...0xFF,
                    using: &generator)
            }
            var once: [UInt8] = []
            TextFolding.fold(bytes.span, ignoresCase: true, ignoresDiacritics: false, into: &once)
            var twice: [UInt8] = []
            TextFolding.fold(once.span, ignoresCase: true, ignoresDiacritics: false, into: &twice)
            #expect(once == twice)
        }
    }
}
