import Daybook
import Foundation

extension ShownValue {
    /// The longest text of a value in a table, in bytes of UTF-8.
    static let tableBytesMax = 200
    /// The longest text of a changed value, in bytes of UTF-8.
    static let changeBytesMax = 2_000
    /// The longest text of a value of one object, in bytes of UTF-8.
    static let objectBytesMax = 20_000

    /// The longest text of each of `count` values in one answer: `longest`, or less for many
    /// values, so that the answer has some megabytes at most.
    static func bytesMax(_ longest: Int, count: Int) -> Int {
        min(longest, max(40, 4_000_000 / max(1, count)))
    }

    /// Shows a value with at most `bytesMax` bytes of text.
    init(_ value: RowValue, bytesMax: Int) {
        var writer = ValueText(bytesMax: bytesMax)
        self.init(kind: value.kind, text: "", length: nil, image: nil)
        switch value {
        case .null: break
        case .text(let text):
            writer.append(text)
            length = writer.isCut ? text.utf8.count : nil
        case .bytes(let bytes):
            writer.append(hexadecimal: bytes)
            length = writer.isCut ? bytes.count : nil
            image = ImageKind(bytes)?.rawValue
        case .list(let elements):
            writer.appendJSON(value)
            length = writer.isCut ? elements.count : nil
        case .map(let members):
            writer.appendJSON(value)
            length = writer.isCut ? members.count : nil
        default: writer.append(value.scalarText)
        }
        text = writer.text
    }
}

extension RowValue {
    /// The name of the kind in ``ShownValue/kind``.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "bool"
        case .integer: "integer"
        case .number: "number"
        case .decimal: "decimal"
        case .text: "text"
        case .bytes: "bytes"
        case .uuid: "uuid"
        case .date: "date"
        case .list: "list"
        case .map: "map"
        }
    }

    /// The text of a value that is neither a string, bytes nor a collection, in the form that a CSV
    /// import reads.
    var scalarText: String {
        switch self {
        case .bool(let value): value ? "true" : "false"
        case .integer(let number): String(number)
        case .number(let number):
            number.isNaN
                ? "NaN" : number.isInfinite ? (number < 0 ? "-" : "") + "Infinity" : "\(number)"
        case .decimal(let digits): digits
        case .uuid(let bytes): Self.uuidText(bytes)
        case .date(let nanoseconds): Self.dateText(nanoseconds)
        default: ""
        }
    }

    private static func uuidText(_ bytes: [UInt8]) -> String {
        let digits = bytes.map { String(format: "%02x", $0) }
        guard digits.count == 16 else { return digits.joined() }
        let groups = [digits[0..<4], digits[4..<6], digits[6..<8], digits[8..<10], digits[10..<16]]
        return groups.map { $0.joined() }.joined(separator: "-")
    }

    /// A date in RFC 3339 and UTC, with the fraction that it has; a date outside the years that the
    /// format has as nanoseconds since 1970.
    private static func dateText(_ nanoseconds: Int128) -> String {
        let second: Int128 = 1_000_000_000
        var (seconds, fraction) = nanoseconds.quotientAndRemainder(dividingBy: second)
        if fraction < 0 { (seconds, fraction) = (seconds - 1, fraction + second) }
        guard (-62_135_596_800...253_402_300_799).contains(seconds) else {
            return #"{"ns":\#(nanoseconds)}"#
        }
        let whole = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        guard fraction > 0 else { return whole }
        var digits = String(fraction)
        digits = String(repeating: "0", count: 9 - digits.count) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(whole.dropLast()).\(digits)Z"
    }
}

/// The media types of images that every browser shows. An image with scripts, such as SVG, is not
/// among them.
enum ImageKind: String {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webp = "image/webp"

    /// The kind by the first bytes of the file formats.
    init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: Array("GIF8".utf8)) {
            self = .gif
        } else if bytes.starts(with: Array("RIFF".utf8)),
            bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
        {
            self = .webp
        } else {
            return nil
        }
    }
}
