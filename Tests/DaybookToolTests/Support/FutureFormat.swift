import DaybookBytes
import Foundation

/// Makes a store look as if a later release wrote it: its manifest requires a newer reader.
enum FutureFormat {
    /// Manifest and CURRENT contain their content twice, each copy filled up to whole sectors.
    private static let sectorBytes = 4096

    static func apply(to path: String) throws {
        let current = URL(fileURLWithPath: path + "/CURRENT")
        let line = try Data(contentsOf: current).prefix { $0 != UInt8(ascii: "\n") }
        let name = String(String(decoding: line, as: UTF8.self).split(separator: " ")[1])
        let url = URL(fileURLWithPath: path + "/" + name)
        var bytes = [UInt8](try Data(contentsOf: url))
        let length = Int(bytes.span.loadLittleEndian(UInt64.self, at: 8) ?? 0)
        bytes.removeLast(bytes.count - length)
        bytes[16] = 99  // the version
        bytes[18] = 99  // the oldest reader
        let body = bytes.count - 8
        let check = XXH64.hash(bytes.span.extracting(0..<body))
        for index in 0..<8 { bytes[body + index] = UInt8(truncatingIfNeeded: check >> (index * 8)) }
        try twice(bytes).write(to: url)
        let hash = String(XXH64.hash(bytes.span), radix: 16)
        let padding = String(repeating: "0", count: 16 - hash.count)
        try twice(Array("daybook \(name) \(padding)\(hash)\n".utf8)).write(to: current)
    }

    private static func twice(_ content: [UInt8]) -> Data {
        let count = (content.count + sectorBytes - 1) / sectorBytes * sectorBytes
        let copy = content + [UInt8](repeating: 0, count: count - content.count)
        return Data(copy + copy)
    }
}
