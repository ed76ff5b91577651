import DaybookBytes
import DaybookPages
import DaybookTestSupport
import Testing

/// The differences between two versions of a tree.
struct TreeDifferenceTests {
    private struct Version {
        var pin: PagePin
        var model: ModelTree
    }

    /// Compares all three trees of two versions with their models, from a key on.
    private func expectDifferences(
        _ new: Version, since old: Version, _ comment: Comment
    ) throws {
        let (older, newer) = (old.pin.reader, new.pin.reader)
        var words = old.model.words
        var walk = try newer.wordDifferences(ModelTree.wordTree, since: older)
        var last: UInt64?
        while let found = try walk.next() {
            #expect(last.map { $0 < found.key } ?? true, comment)
            last = found.key
            #expect(words[found.key] == found.old && found.old != found.new, comment)
            words[found.key] = found.new
        }
        #expect(words == new.model.words, comment)

        var pairs = old.model.pairs
        var pairWalk = try newer.pairDifferences(ModelTree.pairTree, since: older)
        while let found = try pairWalk.next() {
            let pair = PairEntry(first: found.first, second: found.second)
            #expect(pairs.contains(pair) != found.isNew, comment)
            if found.isNew { pairs.insert(pair) } else { pairs.remove(pair) }
        }
        #expect(pairs == new.model.pairs, comment)

        var bytes = old.model.bytes
        var byteWalk = try newer.byteDifferences(ModelTree.byteTree, since: older)
        while let found = try byteWalk.next() {
            #expect(bytes[found.key] == found.old && found.old != found.new, comment)
            bytes[found.key] = found.new
        }
        #expect(bytes == new.model.bytes, comment)
    }

    /// A walk from a key gives the end of the whole walk.
    private func expectParts(
        _ new: Version, since old: Version, _ comment: Comment
    ) throws {
        let (older, newer) = (old.pin.reader, new.pin.reader)
        var keys: [[UInt8]] = []
        var walk = try newer.byteDifferences(ModelTree.byteTree, since: older)
        while let found = try walk.next() { keys.append(found.key) }
        for index in stride(from: 0, to: keys.count, by: 1 + keys.count / 5) {
            var part = try newer.byteDifferences(
                ModelTree.byteTree, since: older, from: keys[index])
            var found: [[UInt8]] = []
            while let next = try part.next() { found.append(next.key) }
            #expect(found == Array(keys[index...]), comment)
        }
        var words: [UInt64] = []
        var wordWalk = try newer.wordDifferences(ModelTree.wordTree, since: older)
        while let found = try wordWalk.next() { words.append(found.key) }
        for index in stride(from: 0, to: words.count, by: 1 + words.count / 5) {
            var part = try newer.wordDifferences(
                ModelTree.wordTree, since: older, from: words[index] + 1)
            var found: [UInt64] = []
            while let next = try part.next() { found.append(next.key) }
            #expect(found == Array(words[(index + 1)...]), comment)
        }
    }

    @Test(arguments: Seeds.first(4), RandomHistory.Keys.allCases)
    func `applying the differences of two versions to one gives the other`(
        seed: UInt64, keys: RandomHistory.Keys
    ) throws {
        var history = RandomHistory(keys: keys, seed: seed)
        var versions = [Version(pin: history.space.pin(), model: history.model)]
        for round in 0..<12 {
            let size = [1, 20, 400].randomElement(using: &history.generator) ?? 1
            try history.commit(size, removing: round < 8 ? 20 : 80)
            versions.append(Version(pin: history.space.pin(), model: history.model))
        }
        // A fork of one version with its own changes, and the same state in unshared pages.
        var fork = RandomHistory(
            continuing: history, in: PageSpace.fork(of: history.space.pin()))
        for _ in 0..<3 { try fork.commit(30, removing: 40) }
        versions.append(Version(pin: fork.space.pin(), model: fork.model))
        var second = RandomHistory(continuing: fork, in: PageSpace.fork(of: fork.space.pin()))
        try second.commit(10, removing: 40)
        versions.append(Version(pin: second.space.pin(), model: second.model))
        try history.commit(50, removing: 40)
        versions.append(Version(pin: history.space.pin(), model: history.model))
        let file = CountingFile()
        _ = try history.space.capture().write(to: file, metadata: [])
        let opened = try PageSpace.open(snapshot: file).space
        versions.append(Version(pin: opened.pin(), model: history.model))
        for (index, old) in versions.enumerated() {
            // Each seed compares a quarter of the pairs.
            for (other, new) in versions.enumerated()
            where (index + other) % 4 == Int(seed % 4) {
                let comment: Comment = "seed \(seed), \(keys), from \(index) to \(other)"
                try expectDifferences(new, since: old, comment)
            }
        }
        for _ in 0..<6 {
            guard let old = versions.randomElement(using: &history.generator),
                let new = versions.randomElement(using: &history.generator)
            else { return }
            try expectParts(new, since: old, "seed \(seed), \(keys), parts")
        }
    }

    @Test func `shared pages of two versions are not read`() throws {
        let tree: TreeID = 1
        let made = PageSpace()
        made.begin(sequence: 1)
        for key in 1...200_000 as ClosedRange<UInt64> {
            try made.put(tree, key, WordValue(first: key, second: 1))
        }
        made.publish(made.end())
        let file = CountingFile()
        _ = try made.capture().write(to: file, metadata: [])
        let space = try PageSpace.open(snapshot: file).space
        let old = space.pin()
        let fork = PageSpace.fork(of: old)
        for (one, sequence) in [(space, 2), (fork, 3)] as [(PageSpace, UInt64)] {
            one.begin(sequence: sequence)
            for key in [7, 100_000, 100_001, 199_999] as [UInt64] {
                try one.put(tree, key, WordValue(first: key, second: sequence))
            }
            try one.remove(tree, 50)
            one.publish(one.end())
        }
        let before = file.readByteCount
        let (new, forked) = (space.pin(), fork.pin())
        for (one, other) in [(old, new), (old, forked), (new, old), (new, forked)] {
            var keys: [UInt64] = []
            var walk = try other.reader.wordDifferences(tree, since: one.reader)
            while let found = try walk.next() { keys.append(found.key) }
            let changed: [UInt64] = [7, 100_000, 100_001, 199_999]
            let removed: [UInt64] = one === new && other === forked ? [] : [50]
            #expect(keys == (changed + removed).sorted())
        }
        // The pages on the paths to the changes were read by the changes.
        #expect(file.readByteCount == before)
    }

    @Test func `missing trees are empty`() throws {
        let (one, other) = (PageSpace(), PageSpace())
        other.begin(sequence: 1)
        try other.put(1, 5, WordValue(first: 1, second: 2))
        other.publish(other.end())
        let (old, new) = (one.pin(), other.pin())
        var walk = try new.reader.wordDifferences(1, since: old.reader)
        let found = try walk.next()
        #expect(found?.key == 5 && found?.old == nil && found?.new?.second == 2)
        #expect(try walk.next() == nil)
        var back = try old.reader.wordDifferences(1, since: new.reader)
        let gone = try back.next()
        #expect(gone?.key == 5 && gone?.new == nil && gone?.old?.first == 1)
        #expect(try back.next() == nil)
        var nothing = try old.reader.byteDifferences(9, since: old.reader)
        #expect(try nothing.next() == nil)
    }
}
