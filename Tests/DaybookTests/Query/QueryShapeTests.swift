@testable import Daybook
import DaybookTestSupport
import Foundation
import Testing

@Suite struct QueryShapeTests {
    /// The store of the test, which keeps it alive.
    private let store: Store

    init() throws {
        store = try Store(
            directoryPath: "memory:memos-\(UUID().uuidString)", entities: Memo.self)
    }

    private func notes(_ stars: [Int?], _ texts: [String] = []) throws -> Box<Memo> {
        let box = store.box(for: Memo.self)
        for (index, stars) in stars.enumerated() {
            try box.put(Memo(text: index < texts.count ? texts[index] : "", stars: stars))
        }
        return box
    }

    @Test func `an order is ascending, and nil first, unless flags change that`() throws {
        let box = try notes([3, nil, -1, 3, 0])
        func ids(_ flags: OrderFlags) throws -> [Id] {
            try box.query().ordered(by: Memo.stars, flags: flags).build().findIds().map(\.value)
        }
        #expect(try ids([]) == [2, 3, 5, 1, 4])
        #expect(try ids(.descending) == [2, 1, 4, 5, 3])
        #expect(try ids(.nullsLast) == [3, 5, 1, 4, 2])
        #expect(try ids([.descending, .nullsLast]) == [1, 4, 5, 3, 2])
        #expect(try ids(.nullsZero) == [3, 2, 5, 1, 4])
        #expect(try ids(.unsigned) == [2, 3, 5, 1, 4])
    }

    @Test func `strings are ordered ignoring case, unless a flag requests it`() throws {
        let box = try notes([1, 2, 3, 4], ["b", "A", "a", "B"])
        let all = box.query()
        #expect(try all.ordered(by: \.text).findIds().map(\.value) == [2, 3, 1, 4])
        #expect(
            try all.ordered(by: \.text, flags: .caseSensitive).findIds().map(\.value)
                == [2, 4, 3, 1])
        #expect(
            try all.ordered(by: \.text).ordered(by: \.stars, flags: .descending).findIds().map(
                \.value)
                == [3, 2, 4, 1])
        #expect(try all.ordered(by: \.text, \.stars).findIds().map(\.value) == [2, 3, 1, 4])
        let built = try box.query().ordered(by: Memo.text)
            .ordered(by: Memo.stars, flags: .descending).build()
        #expect(try built.findIds().map(\.value) == [3, 2, 4, 1])
    }

    @Test func `offset and limit return a part of the result and do not change the query`() throws {
        let box = try notes([5, 4, 3, 2, 1])
        let query = try box.query().ordered(by: Memo.stars).build()
        #expect(try query.offset(1).limit(2).find().map(\.id) == [4, 3])
        #expect(try query.find().map(\.id) == [5, 4, 3, 2, 1])
        #expect(try query.offset(4).find().map(\.id) == [1])
        #expect(try query.offset(9).find().isEmpty)
        #expect(try query.offset(1).limit(0).find().isEmpty)
        #expect(try query.limit(0).findIds().isEmpty)
        #expect(try query.limit(1).findIds().map(\.value) == [5])
        let part = query.offset(1).limit(3)
        #expect(try part.find().map(\.id) == [4, 3, 2])
        #expect(try part.count() == 3)
        #expect(try query.limit(0).find().isEmpty)
        #expect(try query.limit(0).findFirst() == nil)
        #expect(try query.limit(0).isEmpty())
        for wrong in [query.limit(-1), query.offset(-1)] {
            let error = #expect(throws: DaybookError.self) { try wrong.find() }
            #expect(error?.code == .invalidArgument)
        }
    }

    @Test func `a query returns the first object, the only object, and whether one exists`() throws
    {
        let box = try notes([5, 4, 4])
        #expect(try box.query { $0.stars > 0 }.ordered(by: \.stars).findFirst()?.id == 2)
        #expect(try box.query { $0.stars > 9 }.findFirst() == nil)
        #expect(try box.query { $0.stars == 5 }.findUnique()?.id == 1)
        #expect(try box.query { $0.stars == 6 }.findUnique() == nil)
        let error = #expect(throws: DaybookError.self) {
            try box.query { $0.stars == 4 }.findUnique()
        }
        #expect(error?.code == .nonUniqueResult)
        #expect(try !box.query { $0.stars == 4 }.isEmpty())
        #expect(try box.query { $0.stars == 6 }.isEmpty())
        #expect(try box.query().build().count() == 3)
        #expect(try box.query { $0.stars == 4 }.find().map(\.id) == [2, 3])
    }

    @Test func `removing returns the number of removed objects`() throws {
        let box = try notes([1, 2, 3, 4])
        #expect(try box.query { $0.stars > 2 }.ordered(by: \.stars).limit(1).remove() == 1)
        #expect(try box.all().map(\.stars) == [1, 2, 4])
        #expect(try box.query { $0.stars > 1 }.remove() == 2)
        #expect(try box.query { $0.stars > 1 }.remove() == 0)
        #expect(try box.count() == 1)
    }

    @Test func `distinct keeps the first object in the order`() throws {
        let box = try notes([2, nil, 1, 2, nil], ["a", "b", "A", "c", "b"])
        let all = box.query()
        #expect(try all.distinct(by: \.stars).findIds().map(\.value) == [1, 2, 3])
        #expect(try all.distinct(by: \.stars, \.text).findIds().map(\.value) == [1, 2, 3, 4])
        #expect(
            try all.ordered(by: \.text, flags: [.descending, .caseSensitive])
                .distinct(by: \.stars).findIds().map(\.value) == [4, 2, 3])
        #expect(try all.distinct(by: \.stars).limit(2).count() == 2)
    }

    @Test func `a section contains the objects with equal values`() throws {
        let box = try notes([2, nil, 1, 2, nil], ["a", "b", "A", "c", "b"])
        let sections = try box.query().ordered(by: \.text, flags: .descending)
            .sections(by: \.stars)
        #expect(sections.map(\.key) == [nil, 1, 2])
        #expect(sections.map { $0.map(\.id) } == [[2, 5], [3], [4, 1]])
        let initials = try box.query().sections { $0.text.uppercased() }
        #expect(initials.map(\.key) == ["A", "B", "C"])
        #expect(initials.map { $0.objects.map(\.id) } == [[1, 3], [2, 5], [4]])
        let cased = try box.query().sections(by: \.text)
        #expect(cased.map(\.key) == ["A", "a", "b", "c"])
    }

    @Test func `a section key compares values, not their spelling`() throws {
        let items = try ItemStore()
        for weight in [-0.0, 0, -0.0] {
            var item = Item(id: 0)
            (item.name, item.weight) = ("zero", weight)
            try items.box.put(item)
        }
        let zeros = try items.box.query { $0.name == "zero" }.sections(by: \.weight)
        #expect(zeros.map { $0.map(\.weight) } == [[0, 0, 0]])
        let all = try items.box.query().sections(by: \.weight)
        #expect(all.count { $0.key?.isNaN == true } == 1)
        let box = try notes([1, 2, 3], ["e\u{301}", "\u{E9}", "e\u{301}"])
        let texts = try box.query().sections(by: \.text)
        #expect(texts.map { $0.map(\.id) } == [[1, 3], [2]])
    }

    @Test func `objects are delivered one by one until the caller stops`() throws {
        let box = try notes([1, 2, 3, 4])
        var seen: [Id] = []
        try box.query { $0.stars > 1 }.ordered(by: \.stars, flags: .descending).forEach {
            seen.append($0.id)
        }
        #expect(seen == [4, 3, 2])
        seen = []
        try box.query { $0.stars > 1 }.visit {
            seen.append($0.id); return seen.count < 2
        }
        #expect(seen == [2, 3])
        #expect(throws: Refusal.self) {
            try box.query { $0.stars > 1 }.forEach { _ in throw Refusal(number: 1) }
        }
    }

    @Test func `a projection query does not decode the object`() throws {
        let box = try notes([1, 2, 3])
        let found = try box.query { $0.stars > 1 }.find(as: MemoStars.self)
        #expect(found.map(\.stars) == [2, 3])
    }

    @Test func `a text query orders objects by relevance`() async throws {
        let box = try notes(
            [1, 2, 3, 4], ["a red fox", "red, red and red", "a fox", "the red fox, the fox"])
        let query = box.query { $0.text.matches("red") }.orderedByRelevance()
        let found = try await query.findWithScores()
        #expect(found.map(\.object.id) == (try await query.find().map(\.id)))
        #expect(found.first?.object.id == 2)
        #expect(found.map(\.score) == found.map(\.score).sorted(by: >))
        #expect(found.count == 3)
        #expect(try await query.limit(1).findIdsWithScores().map(\.score) == [found[0].score])
        try checkScores(query, found.map(\.score))
        let error = await #expect(throws: DaybookError.self) {
            try await box.query { $0.stars > 1 }.findWithScores()
        }
        #expect(error?.code == .invalidArgument)
    }

    private func checkScores(_ query: Query<Memo>, _ scores: [Double]) throws {
        #expect(try query.findWithScores().map(\.score) == scores)
        #expect(try query.offset(1).findIdsWithScores().map(\.score) == Array(scores.dropFirst()))
    }

    @Test func `a query loads included relations`() throws {
        let store = try RelationStore()
        try store.orders.put(Order("pen", customer: Customer("Ada")))
        let found = try store.orders.query { $0.summary == "pen" }.including(\.customer).find()
        try store.store.close()
        #expect(found.map { $0.customer.target?.name } == ["Ada"])
    }

    @Test func `explain names the index that the query uses`() throws {
        let store = try ItemStore()
        let query = store.box.query { $0.size == 3 }
        #expect(try query.explain().indexes == ["size"])
        let run = try query.explain(isRun: true)
        #expect(run.root.actual == (try query.count()))
        #expect(run.description.contains("size"))
        #expect(query.debugDescription == "Item where size == 3")
        let shaped = query.ordered(by: \.name, flags: .descending).distinct(by: \.nick).offset(1)
        #expect(shaped.limit(2).debugDescription.hasSuffix("distinct by nick offset 1 limit 2"))
    }
}

/// An entity with few properties, for orders.
struct Memo: Entity, Equatable {
    var id: Id = 0
    var text = ""
    var stars: Int?

    init(text: String, stars: Int?) {
        self.text = text
        self.stars = stars
    }

    static let entityDescription = EntityDescription(
        "Memo", [.property("text", String.self), .property("stars", Int?.self)])
    static func decode(_ row: borrowing RowReader) throws -> Memo {
        var memo = Memo(text: try row.read(0), stars: try row.read(1))
        memo.id = row.id
        return memo
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(text, at: 0)
        try row.write(stars, at: 1)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }

    static var text: Property<Memo, String> { Property("text") }
    static var stars: Property<Memo, Int?> { Property("stars") }
}

struct MemoStars: EntityProjection {
    var stars: Int?

    static func decode(_ row: borrowing ProjectionReader<Memo>) throws -> MemoStars {
        MemoStars(stars: try row.read(\.stars, named: "stars"))
    }
    func apply(to root: inout Memo) throws {}
}
