#if Macros
import DaybookModel
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import Testing

@Suite struct CommentRubbishTests {
    private static let pieces = [
        "objectbox:", "objectbox: ", " ", "\n", "\n// ", "\n// objectbox:", "*", "/", "/*", "*/",
        "index", "uid", "=", ":", ",", "{", "}", "[", "]", "\"", "\\", "\\\"", "-", "–", "1",
        "18446744073709551616", "convert", "\"default\"", "\".a\"", "\"dbType\"", "\u{0}", "👩‍🚀",
        "\r", "\t", "unique", "\"onConflict\"", "name", "é",
    ]

    /// Every diagnostic and every edit must lie inside the source.
    private func read(_ source: String) {
        let file = Parser.parse(source: source)
        let length = source.utf8.count
        for statement in file.statements {
            guard let group = statement.item.asProtocol((any DeclGroupSyntax).self) else {
                continue
            }
            var found = CommentAnnotations.entity(group).1
            for case let variable? in group.memberBlock.members
                .map({ $0.decl.as(VariableDeclSyntax.self) })
            {
                found += CommentAnnotations.property(variable).1
            }
            for diagnostic in found {
                #expect(diagnostic.position.utf8Offset <= length)
                for edit in diagnostic.fixIts.flatMap(\.edits) {
                    #expect(edit.range.upperBound.utf8Offset <= length)
                }
            }
        }
    }

    @Test func `random comments are read to their end`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SplitGenerator(state: seed)
        for _ in 0..<3_000 {
            let count = Int.random(in: 0..<24, using: &generator)
            let text = (0..<count).map { _ in
                Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &generator)]
            }.joined()
            read("struct A {\n// objectbox: \(text)\nvar a = 1 /* \(text) */\n}")
        }
        print("seed of the rubbish in comments: \(seed)")
    }

    @Test func `depth and length never cause a trap`() {
        let open = String(repeating: "{\"a\":", count: 50_000)
        read("struct A {\n// objectbox: convert = \(open)\nvar a = 1\n}")
        let lines = String(repeating: "// [\n", count: 20_000)
        read("struct A {\n// objectbox: convert = [\n\(lines)var a = 1\n}")
        read("struct A {\n// objectbox: \(String(repeating: "x", count: 100_000))\nvar a = 1\n}")
        read("struct A {\n// objectbox: \(String(repeating: "x ", count: 20_000))\nvar a = 1\n}")
    }
}

/// A generator that repeats its numbers for the same seed.
private struct SplitGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
#endif
