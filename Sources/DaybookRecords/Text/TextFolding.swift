/// Folds texts for comparisons that ignore case or diacritics.
///
/// Conditions, orders and indexes use the same rule on every system: see `Internals/Text.md`.
package enum TextFolding {
    /// Folds each letter to lower case, removes its diacritics, or both. Texts that differ in
    /// nothing else become equal. SteppedReplay is idempotent.
    package static func fold(
        _ text: String, ignoresCase: Bool, ignoresDiacritics: Bool
    ) -> String {
        var folded: [UInt8] = []
        text.withUTF8Span {
            fold(
                $0, ignoresCase: ignoresCase, ignoresDiacritics: ignoresDiacritics, into: &folded)
        }
        return String(decoding: folded, as: UTF8.self)
    }

    /// Appends the folded form of a text in UTF-8. Invalid bytes are kept. Cost: a few ns per
    /// letter.
    package static func fold(
        _ utf8: Span<UInt8>, ignoresCase: Bool, ignoresDiacritics: Bool, into folded: inout [UInt8]
    ) {
        folded.reserveCapacity(folded.count + utf8.count)
        let capital: UInt8 = ignoresCase ? 0x41 : 0xFF
        var position = 0
        // Most texts are ASCII only and need no table.
        while position < utf8.count, utf8[position] < 0x80 {
            let byte = utf8[position]
            folded.append(byte >= capital && byte <= 0x5A ? byte | 0x20 : byte)
            position &+= 1
        }
        guard position < utf8.count else { return }
        let table = TextTables.shared.folding(
            ignoresCase: ignoresCase, ignoresDiacritics: ignoresDiacritics)
        while position < utf8.count {
            let start = position
            let scalar = UTF8Scalars.next(in: utf8, &position)
            guard scalar != UTF8Scalars.illFormed else {
                folded.append(utf8[start])
                continue
            }
            let change = table[scalar]
            if change != TextTables.dropped {
                UTF8Scalars.append(scalar &+ change, to: &folded)
            }
        }
    }
}
