import DaybookBytes
import DaybookPages
import DaybookTestSupport
import Testing

struct RandomHistoryTests {
    @Test(arguments: Seeds.first(2), RandomHistory.Keys.allCases)
    func `trees behave like dictionaries, and pinned versions stay unchanged`(
        seed: UInt64, keys: RandomHistory.Keys
    ) throws {
        var history = RandomHistory(keys: keys, seed: seed)
        var held: [(PagePin, ModelTree)] = []
        for round in 0..<36 {
            // The trees grow, then shrink.
            let size = Int.random(in: 1...300, using: &history.generator)
            try history.commit(size, removing: round < 18 ? 20 : 75)
            if round % 7 == 0 { held.append((history.space.pin(), history.model)) }
            if round % 11 == 0, held.count > 2 {
                let (pin, model) = held.removeFirst()
                try model.expectEqual(pin.reader, "seed \(seed), version \(pin.version.sequence)")
            }
            if round % 9 == 0 {
                try history.model.expectEqual(history.space.working, "seed \(seed), round \(round)")
                try history.space.checkStructure(history.space.publishedVersion)
            }
        }
        for (pin, model) in held {
            try model.expectEqual(pin.reader, "seed \(seed), version \(pin.version.sequence)")
            try history.space.checkStructure(pin.version)
        }
        try history.space.withPinned { reader throws in
            try history.model.expectEqual(reader, "seed \(seed), at the end")
        }
    }

    @Test(arguments: Seeds.first(2), RandomHistory.Keys.allCases)
    func `cursors move in both directions from any key`(seed: UInt64, keys: RandomHistory.Keys)
        throws
    {
        var history = RandomHistory(keys: keys, seed: seed)
        for _ in 0..<5 { try history.commit(800, removing: 10) }
        let words = history.model.words.keys.sorted()
        let strings = history.model.bytes.keys.sorted { $0.precedes($1) }
        let reader = history.space.working
        for _ in 0..<200 {
            let key =
                words.randomElement(using: &history.generator)!
                &+ UInt64.random(
                    in: 0...2, using: &history.generator)
            let index = words.firstIndex { $0 >= key } ?? words.count
            var cursor = try reader.words(ModelTree.wordTree, from: key)
            #expect(try cursor.next()?.key == (index < words.count ? words[index] : nil))
            cursor = try reader.words(ModelTree.wordTree, from: key)
            #expect(try cursor.previous()?.key == (index > 0 ? words[index - 1] : nil))
        }
        var backwards = try reader.words(ModelTree.wordTree)
        try backwards.seekToEnd()
        var seen: [UInt64] = []
        while let entry = try backwards.previous() { seen.append(entry.key) }
        #expect(seen == words.reversed(), "seed \(seed)")

        for _ in 0..<200 {
            var key = strings.randomElement(using: &history.generator)!
            if Bool.random(using: &history.generator) { key.append(0) }
            let index = strings.firstIndex { !$0.precedes(key) } ?? strings.count
            var cursor = try reader.bytes(ModelTree.byteTree, from: key)
            #expect(try cursor.next()?.key == (index < strings.count ? strings[index] : nil))
            cursor = try reader.bytes(ModelTree.byteTree, from: key)
            #expect(try cursor.previous()?.key == (index > 0 ? strings[index - 1] : nil))
        }
        var bytes = try reader.bytes(ModelTree.byteTree)
        try bytes.seekToEnd()
        var seenStrings: [[UInt8]] = []
        while let entry = try bytes.previous() { seenStrings.append(entry.key) }
        #expect(seenStrings == strings.reversed(), "seed \(seed)")
    }
}
