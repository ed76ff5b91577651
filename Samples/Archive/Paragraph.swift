/// Consecutive `Name: value` lines of a control file, separated from others by blank lines.
struct Paragraph: Equatable {
    /// The number of the first line, counted from 1.
    var line: Int
    /// The fields in file order. A value with several lines keeps its line breaks.
    var fields: [(name: String, value: String)] = []

    static func == (left: Paragraph, right: Paragraph) -> Bool {
        left.line == right.line && left.fields.elementsEqual(right.fields, by: ==)
    }
}

/// Parses a control file, one paragraph at a time.
struct Paragraphs: Sequence, IteratorProtocol {
    private let text: [UInt8]
    /// The number of bytes read.
    private(set) var position = 0
    private var line = 0

    init(_ text: [UInt8]) { self.text = text }

    mutating func next() -> Paragraph? {
        var paragraph: Paragraph?
        while position < text.count {
            let end = text[position...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
            let range = position..<end
            position = Swift.min(end + 1, text.count)
            line += 1
            if range.isEmpty {
                if let paragraph { return paragraph }
                continue
            }
            add(text[range], to: &paragraph)
        }
        return paragraph
    }

    private func add(_ bytes: ArraySlice<UInt8>, to paragraph: inout Paragraph?) {
        var current = paragraph ?? Paragraph(line: line)
        let first = bytes.first
        if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
            if let last = current.fields.indices.last {
                current.fields[last].value += "\n" + String(decoding: bytes, as: UTF8.self)
            }
        } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
            let value = bytes[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }
            current.fields.append(
                (
                    String(decoding: bytes[..<colon], as: UTF8.self),
                    String(decoding: value, as: UTF8.self)
                ))
        }
        paragraph = current
    }
}
