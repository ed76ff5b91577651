import DaybookBytes
import DaybookEngine
import DaybookMaintenance
import DaybookTesting
import Foundation
import Testing

/// Dumps with random damage: each is refused or becomes a consistent store.
@Suite struct LoadFuzzTests {
    private static let count =
        ProcessInfo.processInfo.environment["DAYBOOK_SEEDS"].flatMap(Int.init) ?? 4

    @Test(arguments: (0..<count).map { _ in UInt64.random(in: 0 ... .max) })
    func `damage anywhere in a dump is reported, or changes a value`(_ seed: UInt64) throws {
        let world = try DumpWorld(seed: seed)
        let text = Array(try world.engine.dumpText().utf8)
        try world.engine.close()
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            var damaged = text
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                Self.damage(&damaged, &generator)
            }
            let files = MemoryFileSystem()
            do {
                _ = try Engine.load(text: damaged, into: "/new", files, pieceBytes: 50_000)
            } catch {
                let error = try #require(error as? DaybookError)
                #expect(
                    [.dumpInvalid, .formatTooNew].contains(error.code),
                    "seed \(seed): \(error.code) \(error.message)")
                #expect(try files.kind(of: "/new") == nil)
                continue
            }
            let engine = try DumpWorld.open("/new", files)
            #expect(try engine.checkReplay().isEqual, "seed \(seed)")
            let again = try engine.dumpText()
            _ = try Engine.load(text: Array(again.utf8), into: "/again", files)
            try engine.close()
        }
    }

    private static let pieces = [
        "\"", "{", "}", "[", "]", ",", ":", "0", "-1", "1e999", "null", "true", "\\u0000", "\n",
        "18446744073709551615", "9223372036854775808", "\"id\":", "\u{0}", "\\", "\"links\":{}",
        "4294967295", "268435456", "0.5", "\"NaN\"",
    ]

    static func damage(_ text: inout [UInt8], _ generator: inout SeededGenerator) {
        let place = Int.random(in: 0..<text.count, using: &generator)
        let end = min(text.count, place + Int.random(in: 1...20, using: &generator))
        let piece = Array(pieces[Int.random(in: 0..<pieces.count, using: &generator)].utf8)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: text[place] = .random(in: 0 ... .max, using: &generator)
        case 1: text.removeSubrange(place..<end)
        case 2: text.insert(contentsOf: piece, at: place)
        case 3: text.replaceSubrange(number(in: text, from: place), with: piece)
        case 4: text.insert(contentsOf: text[place..<end], at: place)
        default: swapLines(&text, &generator)
        }
    }

    /// Returns the range of the next number, because the reader may interpret it as a position or a
    /// size.
    private static func number(in text: [UInt8], from place: Int) -> Range<Int> {
        func isDigit(_ index: Int) -> Bool { (0x30...0x39).contains(text[index]) }
        var start = place
        while start < text.count, !isDigit(start) { start += 1 }
        var end = start
        while end < text.count, isDigit(end) { end += 1 }
        return start..<end
    }

    private static func swapLines(_ text: inout [UInt8], _ generator: inout SeededGenerator) {
        var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
        lines.swapAt(
            Int.random(in: 0..<lines.count, using: &generator),
            Int.random(in: 0..<lines.count, using: &generator))
        text = Array(lines.joined(separator: [0x0A]))
    }
}
