internal import NIOCore

extension NATSHeaders {
    /// The first bytes of each block of headers.
    static let version = "NATS/1.0"

    /// Writes the block of headers: the version line, the fields, and an empty line. The status is
    /// not written, because only servers send one.
    func write(to buffer: inout ByteBuffer) {
        buffer.writeString(Self.version)
        buffer.writeString("\r\n")
        for (name, value) in all {
            buffer.writeString(name)
            buffer.writeString(": ")
            buffer.writeString(value)
            buffer.writeString("\r\n")
        }
        buffer.writeString("\r\n")
    }

    /// Reads a block of headers. Throws `.malformedInput`.
    init(parsing block: ByteBuffer) throws(NATSError) {
        self.init()
        var lines = Self.lines(of: block)
        // The block ends with CRLF of the last field and an empty line.
        guard lines.count >= 3, lines.popLast()?.isEmpty == true, lines.popLast()?.isEmpty == true
        else { throw .malformed("The server sent headers without an empty line at the end.") }
        try parseVersion(lines.removeFirst())
        for line in lines { try parseField(line) }
    }

    private mutating func parseVersion(_ line: ArraySlice<UInt8>) throws(NATSError) {
        guard line.starts(with: Self.version.utf8) else {
            throw .malformed("The server sent headers without the version \(Self.version).")
        }
        let rest = Self.trimmed(line.dropFirst(Self.version.utf8.count))
        if rest.isEmpty { return }
        guard let code = ControlLine.number(rest.prefix(3)), rest.prefix(3).count == 3 else {
            throw .malformed("The server sent headers with a status that is not a number.")
        }
        status = code
        let text = Self.trimmed(rest.dropFirst(3))
        statusText = text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }

    private mutating func parseField(_ line: ArraySlice<UInt8>) throws(NATSError) {
        guard let colon = line.firstIndex(of: 0x3A), colon > line.startIndex else {
            throw .malformed("The server sent a header without a name and a colon.")
        }
        appendParsed(
            String(decoding: line[..<colon], as: UTF8.self),
            String(decoding: Self.trimmed(line[(colon + 1)...]), as: UTF8.self))
    }

    /// The parts between CRLFs. A part may contain a CR or an LF alone.
    private static func lines(of block: ByteBuffer) -> [ArraySlice<UInt8>] {
        let bytes = Array(block.readableBytesView)
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        var index = 0
        while index + 1 < bytes.count {
            if bytes[index] == 0x0D, bytes[index + 1] == 0x0A {
                lines.append(bytes[start..<index])
                index += 2
                start = index
            } else {
                index += 1
            }
        }
        lines.append(bytes[start...])
        return lines
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = bytes.drop { $0 == 0x20 || $0 == 9 }
        let end = start.lastIndex { $0 != 0x20 && $0 != 9 }
        return end.map { start[...$0] } ?? []
    }
}
