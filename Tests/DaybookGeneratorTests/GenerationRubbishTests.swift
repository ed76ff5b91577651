#if Macros
import DaybookTestSupport
import DaybookTesting
import Foundation
import Testing

@testable import DaybookGeneration

@Suite struct GenerationRubbishTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func texts(in folder: String) throws -> [String] {
        let directory = root.appending(path: folder)
        return try FileManager.default.subpathsOfDirectory(atPath: directory.path)
            .filter { $0.hasSuffix(".swift") }.sorted()
            .map { try String(contentsOf: directory.appending(path: $0), encoding: .utf8) }
    }

    @Test(arguments: ["", ".", " . "])
    func `a projection whose entity was omitted is an error`(root: String) {
        let module = GeneratedModule(
            #"""
            import Daybook
            struct Excerpt: EntityProjection {
                typealias Root = \#(root)
                @Projected(\Person.firstName) var firstName: String
            }
            """#)
        #expect(module.messages.contains { $0.contains(": error: ") })
        #expect(module.text == nil)
    }

    /// Files with many entities, truncated and with moved parts. Nothing traps, and code is
    /// generated exactly if there is no error.
    @Test(arguments: Seeds.first(1, found: [], fresh: 1))
    func `damaged files are read to their end`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let texts = try Self.texts(in: "DaybookPluginTests") + Self.texts(in: "DaybookMacroTests")
        for text in texts {
            for _ in 0..<(2 * Seeds.rounds) {
                var bytes = Array(text.utf8)
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let start = Int.random(in: 0..<bytes.count, using: &generator)
                    let end = min(bytes.count, start + Int.random(in: 1...40, using: &generator))
                    let piece = bytes[start..<end]
                    bytes.removeSubrange(start..<end)
                    let place = Int.random(in: 0...bytes.count, using: &generator)
                    if Bool.random(using: &generator) { bytes.insert(contentsOf: piece, at: place) }
                    if bytes.isEmpty { break }
                }
                let module = GeneratedModule(String(decoding: bytes, as: UTF8.self))
                let hasErrors = module.messages.contains { $0.contains(": error: ") }
                #expect(hasErrors == (module.text == nil), "seed \(seed)")
            }
        }
    }
}
#endif
