internal import DaybookBytes

/// Iterates over the differences between two versions of a tree, in key order.
///
/// Versions of one space, and of its forks, share unchanged pages. The iterator skips a shared page
/// with its whole subtree, so the cost is proportional to the number of different pages. Versions
/// of different spaces are compared entry by entry.
struct DifferenceIterator<Tree: ScannedTree> {
    private var old: PathCursor<Tree>
    private var new: PathCursor<Tree>

    init(_ old: PathCursor<Tree>, _ new: PathCursor<Tree>) {
        self.old = old
        self.new = new
    }

    /// The next key whose values differ or that only one version has; nil at the end.
    mutating func next() throws(DaybookError) -> (
        key: Tree.Key, old: Tree.Value?, new: Tree.Value?
    )? {
        while true {
            if let oldKey = old.key, let newKey = new.key {
                if Tree.precedes(oldKey, newKey) { return try takeOld(oldKey) }
                if Tree.precedes(newKey, oldKey) { return try takeNew(newKey) }
                let (was, isNow) = (old.value, new.value)
                try old.advance()
                try new.advance()
                if let was, let isNow, Tree.isSame(was, isNow) { continue }
                return (oldKey, was, isNow)
            }
            if let key = old.key {
                guard let branch = new.branch, !Self.stands(key, before: branch) else {
                    return try takeOld(key)
                }
                try new.enter()
            } else if let key = new.key {
                guard let branch = old.branch, !Self.stands(key, before: branch) else {
                    return try takeNew(key)
                }
                try old.enter()
            } else if try !step() {
                return nil
            }
        }
    }

    private mutating func takeOld(
        _ key: Tree.Key
    ) throws(DaybookError) -> (key: Tree.Key, old: Tree.Value?, new: Tree.Value?) {
        let value = old.value
        try old.advance()
        return (key, value, nil)
    }

    private mutating func takeNew(
        _ key: Tree.Key
    ) throws(DaybookError) -> (key: Tree.Key, old: Tree.Value?, new: Tree.Value?) {
        let value = new.value
        try new.advance()
        return (key, nil, value)
    }

    /// Advances if both walks are at a page or at the end. Returns false at the end of both.
    private mutating func step() throws(DaybookError) -> Bool {
        switch (old.branch, new.branch) {
        case (nil, nil): return false
        case (_, nil): try old.enter()
        case (nil, _): try new.enter()
        case (.some(let one), .some(let other)):
            if old.standsWith(new) {
                try old.skip()
                try new.skip()
            } else if Self.begins(one, before: other) {
                try old.enter()
            } else if Self.begins(other, before: one) {
                try new.enter()
            } else {
                // Enters the higher page first, so that both walks reach pages of the same level.
                if one.level >= other.level { try old.enter() }
                if other.level >= one.level { try new.enter() }
            }
        }
        return true
    }

    private static func stands(_ key: Tree.Key, before branch: PathCursor<Tree>.Branch) -> Bool {
        branch.low.map { Tree.precedes(key, $0) } ?? false
    }

    private static func begins(
        _ branch: PathCursor<Tree>.Branch, before other: PathCursor<Tree>.Branch
    ) -> Bool {
        guard let low = other.low else { return false }
        return branch.low.map { Tree.precedes($0, low) } ?? true
    }
}
