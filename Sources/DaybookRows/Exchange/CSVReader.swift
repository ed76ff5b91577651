import DaybookBytes

/// A record of a CSV text.
struct CSVRecord {
    /// A field: its bytes without quotation marks.
    struct Field {
        var range: Range<Int>
        var isQuoted: Bool
    }

    /// The number of the line in which the record begins, from 1.
    let line: Int
    var bytes = ByteWriter(capacity: 128)
    var fields: [Field] = []
    /// The first error of the format; nil for a valid record.
    var problem: String?

    /// Whether the record is a line without any byte.
    var isBlank: Bool { fields.count == 1 && bytes.count == 0 && !fields[0].isQuoted }

    /// The text of a field; nil if it is not well-formed UTF-8.
    func text(_ field: Field) -> String? {
        try? String(checkingUTF8: bytes.span.extracting(field.range))
    }
}

/// Reads a CSV text as in RFC 4180, one record at a time.
///
/// Lines end with LF or CRLF. A field in quotation marks may contain commas, line breaks and, as
/// `""`, quotation marks. Memory: one record, at most `lengthBytesMax`, and 100,000 fields.
struct CSVReader {
    private enum State {
        case start, plain, quoted, afterQuote
    }

    /// More fields than an entity can have properties, to bound the memory of a record.
    private static let fieldCountMax = 100_000
    private static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private(set) var source: ByteSource
    private let lengthBytesMax: Int
    /// The number of the next line.
    private var line = 1
    private var state = State.start
    private var fieldStart = 0
    private var isQuoted = false

    init(_ source: ByteSource, lengthBytesMax: Int) {
        self.source = source
        self.lengthBytesMax = lengthBytesMax
    }

    /// The next record; nil at the end of the text. Throws the errors of reading.
    mutating func next() throws(DaybookError) -> CSVRecord? {
        guard try source.peek() != nil else { return nil }
        var record = CSVRecord(line: line)
        beginField(record)
        while let byte = try source.next() {
            if byte == Self.lineFeed { line += 1 }
            if try !consume(byte, &record) { return record }
        }
        if state == .quoted {
            record.note("a field in quotation marks does not end; close it with a quotation mark")
        }
        endField(&record)
        return record
    }

    /// Adds a byte to the record. Returns false at the end of the record.
    private mutating func consume(
        _ byte: UInt8, _ record: inout CSVRecord
    ) throws(DaybookError) -> Bool {
        if state == .quoted {
            guard byte == Self.quote else {
                append(byte, &record)
                return true
            }
            if try source.take(Self.quote) {
                append(byte, &record)
            } else {
                state = .afterQuote
            }
            return true
        }
        switch byte {
        case Self.comma:
            endField(&record)
            beginField(record)
            return true
        case Self.lineFeed:
            endField(&record)
            return false
        case Self.carriageReturn where try source.take(Self.lineFeed):
            line += 1
            endField(&record)
            return false
        case Self.quote where state == .start:
            state = .quoted
            isQuoted = true
            return true
        case Self.quote:
            record.note(
                "a quotation mark is inside a field; put the field in quotation marks, and write"
                    + " \"\" for one")
        default:
            if state == .afterQuote {
                record.note("text follows the closing quotation mark of a field")
            }
        }
        state = .plain
        append(byte, &record)
        return true
    }

    private mutating func beginField(_ record: borrowing CSVRecord) {
        state = .start
        fieldStart = record.bytes.count
        isQuoted = false
    }

    private func endField(_ record: inout CSVRecord) {
        guard record.fields.count < Self.fieldCountMax else {
            return record.note("the record has more than \(Self.fieldCountMax) fields")
        }
        record.fields.append(
            CSVRecord.Field(range: fieldStart..<record.bytes.count, isQuoted: isQuoted))
    }

    private func append(_ byte: UInt8, _ record: inout CSVRecord) {
        guard record.bytes.count < lengthBytesMax else {
            return record.note("the record is longer than \(lengthBytesMax) bytes")
        }
        record.bytes.uint8(byte)
    }
}

extension CSVRecord {
    /// Keeps the first problem.
    mutating func note(_ problem: String) {
        if self.problem == nil { self.problem = problem }
    }
}
