import Daybook
import DaybookEngine
import DaybookTestSupport
import Testing

/// Random histories of a many-to-many relation whose two sides are held as objects, compared with a
/// model of plain sets. `DAYBOOK_SEED=7 swift test --filter RelationModelTests` repeats one
/// history.
@Suite struct RelationModelTests {
    @Test(arguments: Seeds.first(40, found: [], fresh: 2))
    func `held and fetched objects agree with plain sets`(seed: UInt64) throws {
        var history = try RelationHistory(seed)
        for step in 0..<(60 * Int(Seeds.rounds)) {
            let operation = try history.step()
            let place = "seed \(seed), step \(step): \(operation)"
            try history.check(place)
        }
        try history.home.store.close()
    }
}

/// The model of one held relation.
private struct HeldView {
    var base: Set<Int> = []
    var shown: Set<Int> = []
    var isWhole = false

    var hasChanges: Bool { isWhole || base != shown }
}

/// One side of the relation: the held objects, and the model of their relations.
private struct HeldSide {
    /// False for an object that the history no longer uses, such as a removed one.
    var isLive: [Bool] = []
    var isStored: Set<Int> = []
    /// Nil for a relation that reads the store at its next use.
    var views: [HeldView?] = []
    /// The additions of relations that read the store at their next use.
    var additions: [Int: Set<Int>] = [:]
}

private struct RelationHistory {
    struct Link: Hashable {
        var student: Int
        var teacher: Int
    }

    /// A held object: its side, 0 for students, and its index there.
    struct Host: Hashable {
        var side: Int
        var index: Int
    }

    struct RollBack: Error {}

    let home: RelationStore
    var numbers: SplitNumbers
    var students: [Student] = []
    var teachers: [Teacher] = []
    var sides = [HeldSide(), HeldSide()]
    var links: Set<Link> = []

    init(_ seed: UInt64) throws {
        home = try RelationStore()
        numbers = SplitNumbers(state: seed)
        for _ in 0..<3 {
            add(0)
            add(1)
        }
    }

    // MARK: The model

    mutating func add(_ side: Int) {
        if side == 0 {
            students.append(Student("\(students.count)"))
        } else {
            teachers.append(Teacher("\(teachers.count)"))
        }
        sides[side].isLive.append(true)
        sides[side].views.append(HeldView())
    }

    func stored(_ host: Host) -> Set<Int> {
        host.side == 0
            ? Set(links.filter { $0.student == host.index }.map(\.teacher))
            : Set(links.filter { $0.teacher == host.index }.map(\.student))
    }

    func link(_ host: Host, _ other: Int) -> Link {
        host.side == 0
            ? Link(student: host.index, teacher: other) : Link(student: other, teacher: host.index)
    }

    /// Returns the expected content of a relation. Does not count as a use.
    func peek(_ host: Host) -> HeldView {
        let side = sides[host.side]
        let stored = stored(host)
        return side.views[host.index]
            ?? HeldView(base: stored, shown: stored.union(side.additions[host.index] ?? []))
    }

    mutating func view(_ host: Host) -> HeldView {
        let view = peek(host)
        sides[host.side].views[host.index] = view
        sides[host.side].additions[host.index] = nil
        return view
    }

    /// Makes a relation read the store at its next use, without local changes.
    mutating func forgetView(_ host: Host) {
        sides[host.side].views[host.index] = nil
        sides[host.side].additions[host.index] = nil
    }

    /// Adds an object to a relation. The relation does not read the store.
    mutating func add(_ other: Int, to host: Host) {
        if sides[host.side].views[host.index] == nil {
            sides[host.side].additions[host.index, default: []].insert(other)
        } else {
            sides[host.side].views[host.index]?.shown.insert(other)
        }
    }

    mutating func change(_ host: Host, _ body: (inout HeldView) -> Void) {
        var view = view(host)
        body(&view)
        sides[host.side].views[host.index] = view
    }

    /// Writes relations, and puts the new objects that they lead to, with their relations.
    mutating func write(_ roots: [Host], puts: Bool) {
        var (waiting, written) = (roots, [Host: HeldView]())
        var new = Set(puts ? roots.filter { !sides[$0.side].isStored.contains($0.index) } : [])
        while let host = waiting.popLast() {
            if written[host] != nil { continue }
            let view = view(host)
            written[host] = view
            for other in view.isWhole ? view.shown : view.shown.subtracting(view.base) {
                let target = Host(side: 1 - host.side, index: other)
                guard !sides[target.side].isStored.contains(other) else { continue }
                new.insert(target)
                waiting.append(target)
            }
        }
        for (host, view) in written where !new.contains(host) {
            let gone = (view.isWhole ? stored(host) : view.base).subtracting(view.shown)
            for other in gone { links.remove(link(host, other)) }
        }
        for (host, view) in written {
            let added = view.isWhole ? view.shown : view.shown.subtracting(view.base)
            for other in added { links.insert(link(host, other)) }
        }
        for host in new { sides[host.side].isStored.insert(host.index) }
        for host in written.keys { forgetView(host) }
    }

    // MARK: Steps

    mutating func step() throws -> String {
        switch numbers.below(12) {
        case 0: return try transaction(isCommitted: true)
        case 1: return try transaction(isCommitted: false)
        default: return try operation()
        }
    }

    private mutating func transaction(isCommitted: Bool) throws -> String {
        let before = self
        var text: [String] = []
        var copy = self
        do {
            try home.store.write {
                for _ in 0..<3 {
                    text.append(try copy.operation())
                    if copy.numbers.below(2) == 0 { try copy.check("inside \(text)") }
                }
                if !isCommitted { throw RollBack() }
            }
            self = copy
            return "transaction \(text)"
        } catch is RollBack {}
        let numbers = copy.numbers
        self = before
        self.numbers = numbers
        for side in 0...1 {
            for index in sides[side].isLive.indices where sides[side].isLive[index] {
                let host = Host(side: side, index: index)
                if sides[side].isStored.contains(index) {
                    reset(host)
                } else {
                    // An object that was rolled back keeps its id, so a new one replaces it.
                    sides[side].isLive[index] = false
                }
            }
            add(side)
        }
        return "rollback \(text)"
    }

    private mutating func operation() throws -> String {
        let side = numbers.below(2)
        let live = sides[side].isLive.indices.filter { sides[side].isLive[$0] }
        let others = sides[1 - side].isLive.indices.filter { sides[1 - side].isLive[$0] }
        guard !live.isEmpty, !others.isEmpty else {
            add(live.isEmpty ? side : 1 - side)
            return "add"
        }
        let host = Host(side: side, index: live[numbers.below(live.count)])
        let other = others[numbers.below(others.count)]
        let isStored = sides[side].isStored.contains(host.index)
        switch numbers.below(9) {
        case 0, 1:
            append(host, other)
            add(other, to: host)
            return "append \(host) \(other)"
        case 2:
            remove(host, other)
            change(host) { $0.shown.remove(other) }
            return "remove \(host) \(other)"
        case 3:
            let content = Set(others.filter { _ in numbers.below(2) == 0 })
            replace(host, content)
            change(host) { ($0.shown, $0.isWhole) = (content, true) }
            return "replace \(host) \(content)"
        case 4, 5:
            try put(host)
            write([host], puts: true)
            return "put \(host)"
        case 6 where isStored:
            try apply(host)
            let hasAdditions = sides[side].additions[host.index] != nil
            if hasAdditions || peek(host).hasChanges { write([host], puts: false) }
            return "apply \(host)"
        case 7 where isStored:
            reset(host)
            return "reset \(host)"
        case 8 where isStored && numbers.below(2) == 0:
            try erase(host)
            add(side)
            return "erase \(host)"
        default:
            add(side)
            sides[side].isLive[host.index] = sides[side].isStored.contains(host.index)
            if !sides[side].isLive[host.index] { forget(host) }
            return "add to \(side)"
        }
    }

    private func append(_ host: Host, _ other: Int) {
        if host.side == 0 {
            students[host.index].teachers.append(teachers[other])
        } else {
            teachers[host.index].students.append(students[other])
        }
    }

    private func remove(_ host: Host, _ other: Int) {
        if host.side == 0 {
            students[host.index].teachers.remove(teachers[other])
        } else {
            teachers[host.index].students.remove(students[other])
        }
    }

    private func replace(_ host: Host, _ content: Set<Int>) {
        if host.side == 0 {
            students[host.index].teachers.replace(content.map { teachers[$0] })
        } else {
            teachers[host.index].students.replace(content.map { students[$0] })
        }
    }

    private func put(_ host: Host) throws {
        if host.side == 0 {
            try home.students.put(students[host.index])
        } else {
            try home.teachers.put(teachers[host.index])
        }
    }

    private func apply(_ host: Host) throws {
        if host.side == 0 {
            try students[host.index].teachers.applyToDb()
        } else {
            try teachers[host.index].students.applyToDb()
        }
    }

    private mutating func reset(_ host: Host) {
        if host.side == 0 {
            students[host.index].teachers.reset()
        } else {
            teachers[host.index].students.reset()
        }
        forgetView(host)
    }

    /// Removes an object from the store, and from the relations that show it.
    private mutating func erase(_ host: Host) throws {
        if host.side == 0 {
            try home.students.remove(students[host.index].id)
        } else {
            try home.teachers.remove(teachers[host.index].id)
        }
        links = links.filter { (host.side == 0 ? $0.student : $0.teacher) != host.index }
        sides[host.side].isLive[host.index] = false
        sides[host.side].isStored.remove(host.index)
        forget(host)
    }

    /// Removes an object from the relations that show it.
    private mutating func forget(_ host: Host) {
        let side = 1 - host.side
        for index in sides[side].isLive.indices where sides[side].isLive[index] {
            let other = Host(side: side, index: index)
            if sides[side].isStored.contains(index) {
                let view = peek(other)
                if view.shown.union(view.base).contains(host.index) { reset(other) }
            } else {
                remove(other, host.index)
                change(other) { $0.shown.remove(host.index) }
            }
        }
    }

    // MARK: Checks

    mutating func check(_ place: String) throws {
        for side in 0...1 {
            for index in sides[side].isLive.indices where sides[side].isLive[index] {
                let host = Host(side: side, index: index)
                let view = view(host)
                let shown: [String]
                let hasChanges: Bool
                if side == 0 {
                    shown = try students[index].teachers.get().map(\.name)
                    hasChanges = students[index].teachers.hasPendingDbChanges
                } else {
                    shown = try teachers[index].students.get().map(\.name)
                    hasChanges = teachers[index].students.hasPendingDbChanges
                }
                #expect(shown.count == view.shown.count, "\(place): \(host)")
                #expect(Set(shown) == Set(view.shown.map { "\($0)" }), "\(place): \(host)")
                #expect(hasChanges == view.hasChanges, "\(place): \(host)")
                guard sides[side].isStored.contains(index) else { continue }
                let found = try stored(side, index)
                #expect(found == Set(stored(host).map { "\($0)" }), "\(place): \(host) fetched")
            }
        }
    }

    private func stored(_ side: Int, _ index: Int) throws -> Set<String>? {
        side == 0
            ? try home.students.get(students[index].id).map { Set($0.teachers.map(\.name)) }
            : try home.teachers.get(teachers[index].id).map { Set($0.students.map(\.name)) }
    }
}

/// A SplitMix64 generator of pseudorandom numbers.
private struct SplitNumbers {
    var state: UInt64

    mutating func below(_ count: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(count))
    }
}
