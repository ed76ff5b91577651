/// Lookup tables for the folding and the word class of each scalar, built from ``TextData``.
struct TextTables: Sendable {
    /// Built at the first use, in about a millisecond.
    static let shared = TextTables()

    /// Indexed by the ignored differences: see ``folding(ignoresCase:ignoresDiacritics:)``.
    private let foldings: [ScalarTable]
    /// See ``WordPart``.
    let words: ScalarTable

    /// The word class of a scalar.
    enum WordPart {
        static let no: UInt32 = 0
        static let yes: UInt32 = 1
        /// A separate word.
        static let whole: UInt32 = 2
    }

    /// The folding of a mark if marks are ignored.
    static let dropped: UInt32 = 0x8000_0000

    /// The number to add to each scalar, with overflow; ``dropped`` for a removed scalar.
    func folding(ignoresCase: Bool, ignoresDiacritics: Bool) -> ScalarTable {
        foldings[(ignoresCase ? 1 : 0) + (ignoresDiacritics ? 2 : 0)]
    }

    private init() {
        let small = Self.smallForms()
        let bases = Self.bases()
        var both = small
        for (scalar, base) in bases {
            both[scalar] = base == Self.dropped ? base : small[base] ?? base
        }
        foldings = [[:], small, bases, both].map { changes in
            var table = ScalarTable.Writer()
            for (scalar, target) in changes {
                table.set(scalar, target == Self.dropped ? target : target &- scalar)
            }
            return ScalarTable(table)
        }
        var words = ScalarTable.Writer()
        for run in TextData.runs(of: TextData.wordScalars) {
            for scalar in run.scalars { words.set(scalar, WordPart.yes) }
        }
        for run in TextData.runs(of: TextData.ownWords) {
            for scalar in run.scalars { words.set(scalar, WordPart.whole) }
        }
        self.words = ScalarTable(words)
    }

    private static func smallForms() -> [UInt32: UInt32] {
        var forms: [UInt32: UInt32] = [:]
        for run in TextData.runs(of: TextData.smallForms) {
            for scalar in run.scalars { forms[scalar] = scalar &+ run.change }
        }
        return forms
    }

    private static func bases() -> [UInt32: UInt32] {
        var bases: [UInt32: UInt32] = [:]
        for run in TextData.runs(of: TextData.marks) {
            for scalar in run.scalars { bases[scalar] = dropped }
        }
        // Split by scalars: some base letters would form one character with the space before them.
        for part in TextData.bases.unicodeScalars.split(whereSeparator: { $0 == "|" || $0 == "\n" })
        {
            let words = part.split(separator: " ")
            var scalar = TextData.number(Substring(words[0]))
            for base in words[1] {
                if base != "." { bases[scalar] = base.value }
                scalar += 1
            }
        }
        return bases
    }
}

/// A number for each scalar, usually 0. Equal pages of scalars are stored once.
struct ScalarTable: Sendable {
    private static let pageLength: UInt32 = 128
    private static let shift: UInt32 = 7

    private let pages: [UInt16]
    private let entries: [UInt32]

    /// `scalar` is at most 0x10FFFF.
    @inline(__always)
    subscript(scalar: UInt32) -> UInt32 {
        let page = Int(pages[Int(scalar &>> Self.shift)])
        return entries[page &<< Int(Self.shift) | Int(scalar & (Self.pageLength &- 1))]
    }

    /// Collects the numbers.
    struct Writer {
        /// A page is empty if all its numbers are 0.
        fileprivate var pages = [[UInt32]](repeating: [], count: Int(0x11_0000 >> shift))

        mutating func set(_ scalar: UInt32, _ number: UInt32) {
            let page = Int(scalar >> shift)
            if pages[page].isEmpty {
                pages[page] = [UInt32](repeating: 0, count: Int(pageLength))
            }
            pages[page][Int(scalar % pageLength)] = number
        }
    }

    init(_ writer: Writer) {
        var entries = [UInt32](repeating: 0, count: Int(Self.pageLength))
        var known: [[UInt32]: UInt16] = [entries: 0, []: 0]
        var pages: [UInt16] = []
        for page in writer.pages {
            let place = known[page] ?? UInt16(entries.count / Int(Self.pageLength))
            if known.updateValue(place, forKey: page) == nil { entries += page }
            pages.append(place)
        }
        self.pages = pages
        self.entries = entries
    }
}
