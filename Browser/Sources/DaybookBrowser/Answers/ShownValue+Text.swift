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
        self.init(kind: value.kind, text: "", length: nil, image: nil)
        if case .bytes(let bytes) = value {
            let shown = bytes.prefix(bytesMax / 2)
            text = shown.map { String(format: "%02x", $0) }.joined()
            length = shown.count < bytes.count ? bytes.count : nil
            image = ImageKind(bytes)?.rawValue
            return
        }
        let isCut: Bool
        (text, isCut) = value.text(bytesMax: bytesMax)
        length = isCut ? value.length : nil
    }
}

extension RowValue {
    /// The name of the kind in ``ShownValue/kind``.
    fileprivate var kind: String {
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

    /// The length in ``ShownValue/length``. Other values are never long.
    fileprivate var length: Int? {
        switch self {
        case .text(let text), .decimal(let text): text.utf8.count
        case .list(let elements): elements.count
        case .map(let members): members.count
        default: nil
        }
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
