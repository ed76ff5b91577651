import DaybookBytes
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Testing

/// Manifests with wrong content and a valid check.
@Suite struct ForgedManifestTests {
    private var manifests: [Manifest] {
        var manifest = Manifest(store: StoreIdentity(high: 1, low: 2), createdMicroseconds: 3)
        manifest.generation = 9
        manifest.sealed = (1...3).map { number in
            SegmentEntry(
                number: number, firstSequence: number * 10, lastSequence: number * 10 + 9,
                length: 4096, hash: 7, sealOffset: 4000, rawBytes: 9000, recordCount: 30,
                isBlocked: false)
        }
        manifest.activeNumber = 4
        manifest.activeFirstSequence = 40
        manifest.nextSegmentNumber = 5
        manifest.ancestors = [.init(store: StoreIdentity(high: 5, low: 6), sequence: 3)]
        var closed = manifest
        closed.cleanClose = .init(sequence: 45, length: 640, check: 99)
        var copying = manifest
        copying.tailCopy = .init(sequence: 45, offset: 640, bytes: [1, 2, 3])
        return [manifest, closed, copying]
    }

    /// A manifest with these bytes between magic and check, and a valid check.
    private func forged(_ body: ArraySlice<UInt8>, length: UInt64? = nil) -> [UInt8] {
        var writer = ByteWriter(capacity: body.count + 24)
        writer.uint64(LogFormat.Manifest.magic)
        writer.uint64(length ?? UInt64(body.count + 24))
        for byte in body { writer.uint8(byte) }
        writer.uint64(XXH64.hash(writer.span))
        return writer.bytes
    }

    /// Decodes a file with this manifest. Any result but a trap is correct, if it is consistent.
    private func decode(_ bytes: [UInt8], _ comment: @autoclosure () -> Comment) -> Bool {
        do {
            let file = MirroredFile.bytes(of: bytes)
            let decoded = try Manifest.decode(file.span, file: "m")
            let again = try Manifest.decode(decoded.encoded().span, file: "m")
            #expect(again == decoded, comment())
            return true
        } catch {
            #expect([.corruption, .formatTooNew].contains(error.code), comment())
            return false
        }
    }

    @Test func `forged lengths and counts are errors, never a trap`() throws {
        let numbers: [[UInt8]] = [
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
            [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], [0xFF, 0xFF, 0xFF, 0xFF, 0x0F],
            [0x80, 0x80, 0x80], [0x7F], [0x00], [],
        ]
        for (index, manifest) in manifests.enumerated() {
            let body = manifest.encoded().bytes.dropFirst(16).dropLast(8)
            #expect(decode(forged(body), "unchanged"))
            var refusedCount = 0
            for place in body.indices {
                for number in numbers {
                    var changed = body
                    changed.replaceSubrange(place...place, with: number)
                    let isDecoded = decode(forged(changed), "\(index): \(number) at \(place)")
                    if !isDecoded { refusedCount += 1 }
                }
            }
            #expect(refusedCount > body.count * 4)
            for length: UInt64 in [0, 1, 16, 27, 28, UInt64(body.count + 25), 1 << 40, .max] {
                let bytes = forged(body, length: length)
                #expect(!decode(bytes, "length \(length)"))
            }
        }
    }

    @Test(arguments: Seeds.first(4, found: [], fresh: 4))
    func `random manifests with a valid check are errors, never a trap`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for manifest in manifests {
            let body = manifest.encoded().bytes.dropFirst(16).dropLast(8)
            for _ in 0..<(200 * Seeds.rounds) {
                var changed = body
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    let place = Int.random(in: changed.indices, using: &random)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: changed[place] = .random(in: 0 ... .max, using: &random)
                    case 1: changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                    default: changed.removeSubrange(place..<min(place + 3, changed.endIndex))
                    }
                    if changed.isEmpty { changed = body }
                }
                _ = decode(forged(changed), "seed \(seed)")
            }
        }
    }
}
