import DaybookBytes
import Foundation

/// Makes a store look as if a later release wrote it: its manifest requires a newer reader.
enum FutureFormat {
    static func apply(to path: String) throws {
        let current = URL(fileURLWithPath: path + "/CURRENT")
        let line = try String(contentsOf: current, encoding: .utf8)
        let name = String(line.split(separator: " ")[1])
        let url = URL(fileURLWithPath: path + "/" + name)
        var bytes = [UInt8](try Data(contentsOf: url))
        bytes[8] = 99  // the version
        bytes[10] = 99  // the oldest reader
        let body = bytes.count - 8
        let check = XXH64.hash(bytes.span.extracting(0..<body))
        for index in 0..<8 { bytes[body + index] = UInt8(truncatingIfNeeded: check >> (index * 8)) }
        try Data(bytes).write(to: url)
        let hash = String(XXH64.hash(bytes.span), radix: 16)
        let padding = String(repeating: "0", count: 16 - hash.count)
        try Data("daybook \(name) \(padding)\(hash)\n".utf8).write(to: current)
    }
}
