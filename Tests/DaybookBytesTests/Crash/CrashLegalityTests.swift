import DaybookBytes
import DaybookTesting
import Testing

/// Random histories, checked by a second, simpler model of the bytes that must survive.
struct CrashLegalityTests {
    /// The certain bytes of a file, the uncertain offsets, and the possible sizes.
    private struct Certainty {
        var bytes: [UInt8]
        /// Offsets in a pending write, where any byte is possible.
        var uncertain: Set<Int> = []
        var sizes: Set<Int>

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            sizes = [bytes.count]
        }

        func allows(_ found: [UInt8]) -> Bool {
            guard found.count >= sizes.min() ?? 0, found.count <= sizes.max() ?? 0 else {
                return false
            }
            return found.indices.allSatisfy { index in
                uncertain.contains(index)
                    || found[index] == (index < bytes.count ? bytes[index] : 0)
            }
        }
    }

    @Test(arguments: UInt64(1)...8)
    func `synced bytes are in every image of a random history`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let names = ["/d/a", "/d/b", "/e/c"]
        let start = Dictionary(
            uniqueKeysWithValues: names.map { ($0, [UInt8](repeating: 1, count: 100)) })
        let fileSystem = MemoryFileSystem(contents: start, recording: true)
        let files = try names.map { try fileSystem.open($0, .readWrite) }
        var certain = start.mapValues { Certainty($0) }
        for step in 0..<25 {
            let choice = Int.random(in: 0..<3, using: &random)
            let (name, file) = (names[choice], files[choice])
            let size = try file.size()
            switch Int.random(in: 0..<8, using: &random) {
            case 0...3:
                let offset = Int.random(in: 0...(size + 100), using: &random)
                let count = Int.random(in: 1...80, using: &random)
                try file.write([UInt8](repeating: UInt8(step + 2), count: count).span, at: offset)
                certain[name]?.uncertain.formUnion(offset..<(offset + count))
                certain[name]?.sizes.insert(max(size, offset + count))
                // A torn write may leave any size between the old and the new one.
                certain[name]?.sizes.insert(size)
            case 4:
                let newSize = Int.random(in: 0...(size + 100), using: &random)
                try file.resize(to: newSize)
                certain[name]?.sizes.insert(newSize)
                // Extending a truncated file shows zeros, and the truncation may be undone.
                if newSize < size { certain[name]?.uncertain.formUnion(newSize..<size) }
            case 5:
                try file.preallocate(to: size + 200)
                certain[name]?.sizes.insert(size + 200)
            default:
                try file.sync()
                certain[name] = Certainty(try fileSystem.readAll(name))
            }
            fileSystem.visitCrashImages(
                after: fileSystem.operationCount, seed: seed, randomCount: 5
            ) { image in
                let contents = image.makeFileSystem().contents
                for (name, certainty) in certain where !certainty.allows(contents[name] ?? []) {
                    Issue.record("seed \(seed), step \(step), \(name): \(image)")
                }
            }
        }
    }

    @Test(arguments: UInt64(1)...8)
    func `a durable file is lost only by its removal, whatever renames happen`(seed: UInt64)
        throws
    {
        var random = SeededGenerator(seed: seed)
        let names = ["/d/a", "/d/b", "/d/c", "/e/a", "/e/b"]
        let start: [String: [UInt8]] = ["/d/a": [1], "/d/b": [2], "/e/a": [3]]
        let fileSystem = MemoryFileSystem(contents: start, recording: true)
        // The possible names of each file since the last sync of both directories.
        var removed: Set<UInt8> = []
        var next: UInt8 = 4
        var synced: Set<UInt8> = [1, 2, 3]
        for step in 0..<12 {
            let present = fileSystem.contents
            let name = try #require(names.randomElement(using: &random))
            let target = try #require(names.randomElement(using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0...2 where present[name] != nil:
                if name != target, let lost = present[target]?.first { removed.insert(lost) }
                try fileSystem.rename(name, to: target)
            case 3 where present[name] != nil:
                removed.insert(try #require(present[name]?.first))
                try fileSystem.remove(name)
            case 4 where present[name] == nil:
                let file = try fileSystem.open(name, .create)
                try file.write([next].span, at: 0)
                try file.sync()
                next += 1
            case 5:
                try fileSystem.syncDirectory("/d")
                try fileSystem.syncDirectory("/e")
                synced = Set(fileSystem.contents.values.compactMap(\.first))
                removed = []
            default: break
            }
            fileSystem.visitCrashImages(
                after: fileSystem.operationCount, seed: seed, randomCount: 20
            ) { image in
                let found = image.makeFileSystem().contents.values.compactMap(\.first)
                if !synced.subtracting(removed).isSubset(of: found)
                    || Set(found).count != found.count
                {
                    Issue.record("seed \(seed), step \(step): \(image)")
                }
            }
        }
    }
}
