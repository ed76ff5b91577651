import DaybookBytes
import DaybookPages
import DaybookTesting

/// A space and its model under the same random changes.
struct RandomHistory {
    /// The distribution of keys.
    enum Keys: CaseIterable { case dense, sparse, rising, falling }

    let space: PageSpace
    let keys: Keys
    var model = ModelTree()
    var generator: SeededGenerator
    var sequence: UInt64
    private var position: UInt64 = 1 << 40

    init(_ space: PageSpace = PageSpace(), keys: Keys, seed: UInt64) {
        self.space = space
        self.keys = keys
        generator = SeededGenerator(seed: seed)
        sequence = space.publishedVersion.sequence
    }

    /// Continues the history in a space with the same content.
    init(continuing other: RandomHistory, in space: PageSpace) {
        self.space = space
        keys = other.keys
        model = other.model
        generator = other.generator
        sequence = other.sequence
        position = other.position
    }

    /// One published transaction of `count` changes.
    @discardableResult
    mutating func commit(_ count: Int, removing share: Int) throws -> PageVersion {
        sequence += 1
        space.begin(sequence: sequence)
        for _ in 0..<count {
            let isRemoval = Int.random(in: 0..<100, using: &generator) < share
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: try changeWords(isRemoval)
            case 1: try changePairs(isRemoval)
            default: try changeBytes(isRemoval)
            }
        }
        let version = space.end()
        space.publish(version)
        return version
    }

    /// Changes a space with unknown content and reads all of it, ignoring the results.
    mutating func disturb() throws {
        for _ in 0..<3 {
            _ = try ModelTree.words(space.working)
            _ = try ModelTree.pairs(space.working)
            _ = try ModelTree.bytes(space.working)
            sequence += 1
            space.begin(sequence: sequence)
            defer { space.publish(space.end()) }
            for _ in 0..<100 {
                let key = draw()
                let bytes = drawBytes()
                if Bool.random(using: &generator) {
                    try space.put(ModelTree.wordTree, key, WordValue(first: key, second: 0))
                    try space.insert(ModelTree.pairTree, key / 16, draw())
                    try space.put(ModelTree.byteTree, bytes: bytes.span, key)
                } else {
                    try space.remove(ModelTree.wordTree, key)
                    try space.remove(ModelTree.pairTree, key / 16, draw())
                    try space.remove(ModelTree.byteTree, bytes: bytes.span)
                }
            }
        }
    }

    private mutating func changeWords(_ isRemoval: Bool) throws {
        let tree = ModelTree.wordTree
        if isRemoval {
            let key = model.words.keys.randomElement(using: &generator) ?? draw()
            try demand(try space.remove(tree, key) == model.words.removeValue(forKey: key))
        } else {
            let key = draw()
            let value = WordValue(first: generator.next(), second: sequence)
            try demand(
                try space.put(tree, key, value) == model.words.updateValue(value, forKey: key))
        }
    }

    private mutating func changePairs(_ isRemoval: Bool) throws {
        let tree = ModelTree.pairTree
        if isRemoval, let pair = model.pairs.randomElement(using: &generator) {
            model.pairs.remove(pair)
            try demand(try space.remove(tree, pair.first, pair.second))
            try demand(try !space.remove(tree, pair.first, pair.second))
        } else {
            let pair = PairEntry(first: draw() / 16, second: draw())
            let isNew = model.pairs.insert(pair).inserted
            try demand(try space.insert(tree, pair.first, pair.second) == isNew)
        }
    }

    private mutating func changeBytes(_ isRemoval: Bool) throws {
        let tree = ModelTree.byteTree
        if isRemoval {
            let key = model.bytes.keys.randomElement(using: &generator) ?? drawBytes()
            try demand(
                try space.remove(tree, bytes: key.span) == model.bytes.removeValue(forKey: key))
        } else {
            let key = drawBytes()
            let value = generator.next()
            try demand(
                try space.put(tree, bytes: key.span, value)
                    == model.bytes.updateValue(value, forKey: key))
        }
    }

    private mutating func draw() -> UInt64 {
        switch keys {
        case .dense: return UInt64.random(in: 1...3000, using: &generator)
        case .sparse: return generator.next()
        case .rising:
            position += UInt64.random(in: 0...2, using: &generator)
            return position
        case .falling:
            position -= UInt64.random(in: 0...2, using: &generator)
            return position
        }
    }

    /// Strings of a few letters with long common prefixes, some of them very long.
    private mutating func drawBytes() -> [UInt8] {
        if Bool.random(using: &generator) {
            return withUnsafeBytes(of: draw().bigEndian) { Array($0) }
        }
        let shared = [0, 1, 30, 500, 955, 1020, 5000].randomElement(using: &generator) ?? 0
        let length = shared + Int.random(in: 0...(shared % 2 == 0 ? 40 : 3), using: &generator)
        var key: [UInt8] = []
        for index in 0..<length {
            key.append(
                index < shared ? UInt8(shared & 0x7F) : UInt8.random(in: 0...3, using: &generator))
        }
        return key
    }

    /// Turns a wrong result into an error, so that the test stops at the first one.
    private func demand(_ isTrue: Bool) throws {
        if !isTrue { throw WrongAnswer(sequence: sequence) }
    }

    struct WrongAnswer: Error { let sequence: UInt64 }
}
