/// Reads the XML documents of services: elements, texts, comments and instructions in UTF-8.
///
/// Attributes are skipped, and a document type is an error, so there are no declared entities. The
/// parser of Foundation on Linux traps for some malformed documents, and this one never does.
struct XMLReader {
    private static let levelCountMax = 16
    private static let nodeCountMax = 100_000

    private let bytes: [UInt8]
    private var position = 0
    /// The elements without an end tag, from the root on.
    private var open: [XMLNode] = []
    private var root: XMLNode?
    private var nodeCount = 0

    /// Returns the root of a document. Throws `Malformed` for other bytes, document types, and
    /// more than 16 levels or 100,000 elements. Costs time and memory in proportion to the length.
    static func root(of bytes: [UInt8]) throws(XMLNode.Malformed) -> XMLNode {
        guard String(validating: bytes, as: UTF8.self) != nil,
            bytes.allSatisfy({ $0 >= 0x20 || isSpace($0) })
        else { throw XMLNode.Malformed(description: "the answer is not text") }
        var reader = XMLReader(bytes: bytes)
        return try reader.read()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func read() throws(XMLNode.Malformed) -> XMLNode {
        if starts("\u{FEFF}") { position += 3 }
        while position < bytes.count {
            if starts("<?") {
                _ = try take(through: "?>")
            } else if starts("<!--") {
                _ = try take(through: "-->")
            } else if starts("<![CDATA[") {
                position += 9
                try append(try take(through: "]]>"))
            } else if starts("</") {
                try readEnd()
            } else if starts("<") {
                try readBegin()
            } else {
                try readText()
            }
        }
        guard open.isEmpty, let root else { throw malformed("is not a complete XML document") }
        return root
    }

    /// Reads a begin tag with its attributes.
    private mutating func readBegin() throws(XMLNode.Malformed) {
        position += 1
        nodeCount += 1
        guard root == nil, open.count < Self.levelCountMax, nodeCount <= Self.nodeCountMax else {
            throw malformed("has too many elements")
        }
        open.append(XMLNode(try takeName()))
        while true {
            let hasSpace = skipSpace()
            if starts("/>") {
                position += 2
                return close()
            }
            if starts(">") {
                position += 1
                return
            }
            guard hasSpace else { throw malformed("has an invalid tag") }
            try skipAttribute()
        }
    }

    private mutating func skipAttribute() throws(XMLNode.Malformed) {
        _ = try takeName()
        skipSpace()
        guard starts("=") else { throw malformed("has an attribute without a value") }
        position += 1
        skipSpace()
        guard starts("\"") || starts("'") else { throw malformed("has a value without quotes") }
        let quote = starts("\"") ? "\"" : "'"
        position += 1
        guard try !take(through: quote).contains(0x3C) else {
            throw malformed("has an invalid attribute")
        }
    }

    /// Reads an end tag.
    private mutating func readEnd() throws(XMLNode.Malformed) {
        position += 2
        let name = try takeName()
        skipSpace()
        guard starts(">"), open.last?.name == name else {
            throw malformed("has an end tag without its begin")
        }
        position += 1
        close()
    }

    /// Ends the last open element.
    private mutating func close() {
        guard let node = open.popLast() else { return }
        if let parent = open.indices.last {
            open[parent].children.append(node)
        } else {
            root = node
        }
    }

    /// Reads the text up to the next tag.
    private mutating func readText() throws(XMLNode.Malformed) {
        let end = bytes[position...].firstIndex(of: 0x3C) ?? bytes.count
        defer { position = end }
        try append(try XMLText.decode(bytes[position..<end]))
    }

    /// Adds text to the last open element. Outside the root only white space may be.
    private mutating func append(_ text: some Collection<UInt8>) throws(XMLNode.Malformed) {
        if let last = open.indices.last {
            open[last].text += String(decoding: text, as: UTF8.self)
        } else if !text.allSatisfy(Self.isSpace) {
            throw malformed("has text outside its root")
        }
    }

    private mutating func takeName() throws(XMLNode.Malformed) -> String {
        let rest = bytes[position...]
        let end = rest.firstIndex { !Self.isNameByte($0) } ?? bytes.count
        guard let first = rest.first, end > position, !(0x2D...0x39).contains(first) else {
            throw malformed("has an element without a name")
        }
        defer { position = end }
        return String(decoding: bytes[position..<end], as: UTF8.self)
    }

    /// Returns the bytes before a mark and moves behind it.
    private mutating func take(
        through mark: String
    ) throws(XMLNode.Malformed) -> ArraySlice<UInt8> {
        let begin = position
        while position < bytes.count {
            if starts(mark) {
                defer { position += mark.utf8.count }
                return bytes[begin..<position]
            }
            position += 1
        }
        throw malformed("has a part without its end")
    }

    /// Returns whether there was white space.
    @discardableResult
    private mutating func skipSpace() -> Bool {
        let begin = position
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
        return position > begin
    }

    private func starts(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private func malformed(_ problem: String) -> XMLNode.Malformed {
        XMLNode.Malformed(description: "the answer \(problem)")
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x80...: true
        default: false
        }
    }
}
