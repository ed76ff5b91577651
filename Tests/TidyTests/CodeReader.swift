/// Blanks out comments, string contents, and the contents of raw identifiers. Keeps all line breaks
/// and the byte count.
///
/// Understands nested comments, raw and multi-line strings, and interpolations, but not regular
/// expression literals, because the library has none.
struct CodeReader {
    private enum State {
        case code(openParentheses: Int)
        case string(quotes: Int, hashes: Int)
        case lineComment
        case blockComment
        case identifier
    }

    private static let newline = UInt8(ascii: "\n")
    private static let quote = UInt8(ascii: "\"")
    private static let hash = UInt8(ascii: "#")
    private static let backtick = UInt8(ascii: "`")
    private static let slash = UInt8(ascii: "/")
    private static let star = UInt8(ascii: "*")
    private static let backslash = UInt8(ascii: "\\")

    private let text: [UInt8]
    private var position = 0
    private var states: [State] = [.code(openParentheses: 0)]
    private var output: [UInt8] = []

    private init(_ text: String) {
        self.text = Array(text.utf8)
        output.reserveCapacity(self.text.count)
    }

    static func code(of text: String) -> String {
        var reader = CodeReader(text)
        while reader.position < reader.text.count { reader.step() }
        return String(decoding: reader.output, as: UTF8.self)
    }

    private mutating func step() {
        switch states[states.count - 1] {
        case .code(let open): stepInCode(open)
        case .string(let quotes, let hashes): stepInString(quotes, hashes)
        case .lineComment:
            if text[position] == Self.newline { states.removeLast() }
            blank(1)
        case .blockComment:
            if has(Self.slash, Self.star) { return enter(.blockComment, 2) }
            let isEnd = has(Self.star, Self.slash)
            blank(isEnd ? 2 : 1)
            if isEnd { states.removeLast() }
        case .identifier:
            if text[position] == Self.backtick {
                states.removeLast()
                keep()
            } else {
                blank(1)
            }
        }
    }

    private mutating func stepInCode(_ open: Int) {
        switch text[position] {
        case Self.slash where has(Self.slash, Self.slash): enter(.lineComment, 2)
        case Self.slash where has(Self.slash, Self.star): enter(.blockComment, 2)
        case Self.backtick:
            states.append(.identifier)
            keep()
        case Self.quote: beginString(hashes: 0)
        case Self.hash:
            let hashes = count(of: Self.hash, from: position)
            if byte(position + hashes) == Self.quote { beginString(hashes: hashes) } else { keep() }
        case UInt8(ascii: "("):
            states[states.count - 1] = .code(openParentheses: open + 1)
            keep()
        case UInt8(ascii: ")") where open == 0 && states.count > 1:
            states.removeLast()  // the end of an interpolation
            blank(1)
        case UInt8(ascii: ")"):
            states[states.count - 1] = .code(openParentheses: open - 1)
            keep()
        default: keep()
        }
    }

    private mutating func beginString(hashes: Int) {
        let quotes = count(of: Self.quote, from: position + hashes) >= 3 ? 3 : 1
        enter(.string(quotes: quotes, hashes: hashes), hashes + quotes)
    }

    private mutating func stepInString(_ quotes: Int, _ hashes: Int) {
        if text[position] == Self.backslash, count(of: Self.hash, from: position + 1) >= hashes {
            blank(1 + hashes)
            if byte(position) == UInt8(ascii: "(") {
                return enter(.code(openParentheses: 0), 1)
            }
            return blank(1)
        }
        let isEnd =
            count(of: Self.quote, from: position) >= quotes
            && count(of: Self.hash, from: position + quotes) >= hashes
        blank(isEnd ? quotes + hashes : 1)
        if isEnd { states.removeLast() }
    }

    private func byte(_ place: Int) -> UInt8 { place < text.count ? text[place] : 0 }

    private func has(_ first: UInt8, _ second: UInt8) -> Bool {
        text[position] == first && byte(position + 1) == second
    }

    private func count(of sample: UInt8, from start: Int) -> Int {
        var place = start
        while byte(place) == sample { place += 1 }
        return place - start
    }

    private mutating func enter(_ state: State, _ length: Int) {
        states.append(state)
        blank(length)
    }

    private mutating func keep() {
        output.append(text[position])
        position += 1
    }

    private mutating func blank(_ length: Int) {
        for _ in 0..<length where position < text.count {
            output.append(text[position] == Self.newline ? Self.newline : UInt8(ascii: " "))
            position += 1
        }
    }
}
