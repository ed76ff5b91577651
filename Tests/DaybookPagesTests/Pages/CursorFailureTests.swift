import DaybookBytes
import Testing

@testable import DaybookPages

struct CursorFailureTests {
    private static let tree: TreeID = 2

    /// A snapshot with enough names for several groups of leaves.
    private func makeSnapshot() throws -> (keys: [[UInt8]], file: CountingFile) {
        let keys = (10_000..<30_000).map { Array("name \($0) of some length".utf8) }
        let space = PageSpace()
        space.begin(sequence: 1)
        for (index, key) in keys.enumerated() {
            try space.put(Self.tree, bytes: key.span, UInt64(index))
        }
        space.publish(space.end())
        let file = CountingFile()
        _ = try space.capture().write(to: file, metadata: [])
        return (keys, file)
    }

    /// Damages the groups that are not in memory, or reverts the damage.
    private func flip(_ file: CountingFile, _ space: PageSpace) {
        for group in 0..<space.groupCount where !space.table.isResident(group: group) {
            if let entry = space.loader?.entry(of: group) {
                file.damage(at: entry.offset) { $0 ^= 1 }
            }
        }
    }

    @Test func `a failed step can be retried without missing an entry`() throws {
        let (keys, file) = try makeSnapshot()
        for isForwards in [true, false] {
            let space = try PageSpace.open(snapshot: file).space
            var cursor = try space.working.bytes(Self.tree)
            if !isForwards { try cursor.seekToEnd() }
            flip(file, space)
            var found: [[UInt8]] = []
            var failureCount = 0
            while true {
                do {
                    let entry = isForwards ? try cursor.next() : try cursor.previous()
                    guard let entry else { break }
                    found.append(entry.key)
                } catch {
                    #expect(error.details["snapshot"] == "group")
                    failureCount += 1
                    guard failureCount < 100 else { break }
                    // Fails once more, then continues until the next group is needed.
                    #expect(throws: DaybookError.self) {
                        _ = isForwards ? try cursor.next() : try cursor.previous()
                    }
                    flip(file, space)
                    if let entry = isForwards ? try cursor.next() : try cursor.previous() {
                        found.append(entry.key)
                    }
                    flip(file, space)
                }
            }
            flip(file, space)
            #expect(failureCount > 1)
            #expect(found == (isForwards ? keys : keys.reversed()))
        }
    }

    @Test func `a failed seek leaves the cursor where it was`() throws {
        let (keys, file) = try makeSnapshot()
        let space = try PageSpace.open(snapshot: file).space
        var cursor = try space.working.bytes(Self.tree)
        #expect(try cursor.next()?.key == keys[0])
        flip(file, space)
        #expect(throws: DaybookError.self) { try cursor.seek(to: keys[keys.count / 2]) }
        flip(file, space)
        var found = [keys[0]]
        while let entry = try cursor.next() { found.append(entry.key) }
        #expect(found == keys)
    }
}
