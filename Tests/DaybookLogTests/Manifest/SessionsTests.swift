import DaybookBytes
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Testing

/// The list of sessions in a manifest.
@Suite struct SessionsTests {
    private func sessions(_ firsts: UInt64...) -> Sessions {
        var sessions = Sessions()
        for first in firsts { sessions.begin(.init(identity: first * 16, firstSequence: first)) }
        return sessions
    }

    private func bytes(_ sessions: Sessions) -> [UInt8] {
        var writer = ByteWriter(capacity: 64)
        sessions.write(to: &writer)
        return writer.bytes
    }

    private func manifest(_ sessions: Sessions, durable: UInt64 = 500) -> Manifest {
        var manifest = Manifest(store: StoreIdentity(high: 1, low: 2), createdMicroseconds: 3)
        manifest.generation = 4
        manifest.durableSequence = durable
        manifest.sessions = sessions
        return manifest
    }

    @Test func `sessions are stored as differences and identities`() throws {
        #expect(bytes(Sessions()) == [0, 0])
        // Two sessions that began with the transactions 1 and 301.
        let expected: [UInt8] = [
            0, 2, 1, 16, 0, 0, 0, 0, 0, 0, 0, 0xAC, 0x02, 0xD0, 0x12, 0, 0, 0, 0, 0, 0,
        ]
        #expect(bytes(sessions(1, 301)) == expected)
        var manifest = manifest(sessions(1, 301))
        manifest.ancestors = [.init(store: StoreIdentity(high: 5, low: 6), sequence: 7)]
        let encoded = manifest.encoded()
        #expect(try Manifest.decode(encoded.span, file: "m") == manifest)
        // Ancestors and sessions precede the check.
        let end = Array(encoded.bytes.dropLast(8))
        #expect(Array(end.suffix(21)) == expected)
        let ancestors: [UInt8] = [
            1, 5, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0,
        ]
        #expect(Array(end.dropLast(21).suffix(25)) == ancestors)
    }

    @Test func `two logs share a transaction if the same session wrote it in both`() {
        let one = sessions(1, 10, 20)
        #expect(one.comparison(with: one, at: 25) == .same)
        #expect(one.comparison(with: sessions(1, 10), at: 19) == .same)
        #expect(one.comparison(with: sessions(1, 10), at: 20) == .different)
        #expect(sessions(1, 10).comparison(with: one, at: 20) == .different)
        var other = sessions(1)
        other.begin(.init(identity: 7, firstSequence: 10))
        #expect(one.comparison(with: other, at: 9) == .same)
        #expect(one.comparison(with: other, at: 10) == .different)
        // A restored store contains transactions before its first session.
        #expect(sessions(5).comparison(with: Sessions(), at: 4) == .same)
        #expect(sessions(5).comparison(with: Sessions(), at: 5) == .different)
        #expect(one.until(19) == sessions(1, 10))
        #expect(one.until(0) == Sessions())
    }

    @Test func `a session replaces those whose transactions a crash undid`() {
        var sessions = sessions(1, 10)
        sessions.begin(.init(identity: 7, firstSequence: 10))
        #expect(sessions.kept.map(\.firstSequence) == [1, 10])
        #expect(sessions.kept.last?.identity == 7)
        sessions.begin(.init(identity: 8, firstSequence: 1))
        #expect(sessions.kept.map(\.identity) == [8])
    }

    @Test func `ten thousand sessions take the space of about a thousand`() throws {
        var all = Sessions()
        var middle = Sessions()
        for number: UInt64 in 1...10_000 {
            all.begin(.init(identity: number, firstSequence: number * 200))
            if number == 9_500 { middle = all }
        }
        #expect(all.kept.count == Sessions.countMax && all.isShortened)
        let encoded = manifest(all, durable: 2_000_000).encoded()
        #expect(encoded.bytes.count < 11 << 10)
        #expect(try Manifest.decode(encoded.span, file: "m").sessions == all)
        #expect(all.comparison(with: middle, at: 1_900_199) == .same)
        #expect(all.comparison(with: middle, at: 1_900_200) == .different)
        // The sessions of older transactions were forgotten, so nothing is called the same.
        let first = (10_000 - UInt64(Sessions.countMax) + 1) * 200
        #expect(all.comparison(with: middle, at: first) == .same)
        #expect(all.comparison(with: middle, at: first - 1) == .unknown)
        #expect(all.comparison(with: sessions(200), at: 300) == .unknown)
        #expect(middle.comparison(with: all.until(first - 1), at: first - 1) == .unknown)
    }

    @Test func `forged lists of sessions are corruption`() throws {
        let list = bytes(sessions(1, 301))
        let whole = manifest(sessions(1, 301)).encoded().bytes
        let head = whole.dropFirst(16).dropLast(8 + list.count)
        #expect(decoded(head + list) == nil)
        let most: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]
        var lists: [[UInt8]] = [[], [0], [2, 0], [0] + most, list + [0]]
        // Another flag, and other counts.
        for head: [UInt8] in [[0xFF, 2], [0, 3], [0, 1]] { lists.append(head + list.dropFirst(2)) }
        // A session begins with transaction 502, but only 500 are durable.
        let firsts: [[[UInt8]]] = [[[0]], [[1], [0]], [[1], most], [most], [[0xF6, 0x03]]]
        for differences in firsts { lists.append(forged(differences)) }
        for list in lists { #expect(decoded(head + list) == .corruption, "\(list)") }
        #expect(decoded(head + forged([[0xF5, 0x03]])) == nil)
        #expect(decoded(head + [1, 0]) == nil)
    }

    /// A list of sessions with these differences.
    private func forged(_ differences: [[UInt8]]) -> [UInt8] {
        var list = [0, UInt8(differences.count)]
        for difference in differences { list += difference + [UInt8](repeating: 1, count: 8) }
        return list
    }

    /// The error of decoding a manifest with these bytes between magic and check.
    private func decoded(_ body: some Collection<UInt8>) -> DaybookError.Code? {
        var writer = ByteWriter(capacity: body.count + 24)
        writer.uint64(LogFormat.Manifest.magic)
        writer.uint64(UInt64(body.count + 24))
        for byte in body { writer.uint8(byte) }
        writer.uint64(XXH64.hash(writer.span))
        do {
            _ = try Manifest.decode(writer.span, file: "m")
            return nil
        } catch {
            return error.code
        }
    }
}
