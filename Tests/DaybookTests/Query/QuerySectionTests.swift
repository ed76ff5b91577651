import Daybook
import DaybookBytes
import DaybookTesting
import DaybookTestSupport
import Foundation
import Testing

/// ``Query/sections(by:flags:)`` compared with ``Query/find(offset:limit:)``.
@Suite struct QuerySectionTests {
    private let store: Store
    private var box: Box<Item> { store.box() }

    init() throws {
        store = try Store(
            directoryPath: "memory:sections-\(UUID().uuidString)", entities: Item.self)
    }

    private func put(weights: [Double?]) throws {
        for weight in weights { try box.put(Item(weight: weight)) }
    }

    private var all: Query<Item> { box.query() }

    @Test func `sections have exactly the objects that a limited query finds`() throws {
        try put(weights: [3, 1, 2, 3, 1])
        let sections = try all.offset(1).limit(3).sections(by: \.weight)
        #expect(sections.map(\.key) == [1, 2, 3])
        #expect(sections.map { $0.map(\.id) } == [[2], [3], [4]])
    }

    @Test func `nil and zero are two sections even if nil is ordered as zero`() throws {
        try put(weights: [0, nil, 0, nil, -1, 1])
        let sections = try all.sections(by: \.weight, flags: .nullsZero)
        #expect(sections.map(\.key) == [-1, nil, 0, 1])
        #expect(sections.map { $0.map(\.id) } == [[5], [2, 4], [1, 3], [6]])
    }

    @Test func `decimals that are not numbers are one section`() throws {
        for price in [Decimal.nan, 1, .nan] { try box.put(Item(price: price)) }
        let sections = try all.sections(by: \.price)
        #expect(sections.map { $0.map(\.id) } == [[2], [1, 3]])
    }

    @Test(arguments: Seeds.first(60))
    func `all sections together are the objects of find, each in the query's order`(
        seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Int.random(in: 0...60, using: &random) { try box.put(item(&random)) }
        for _ in 0..<20 {
            let query = query(&random)
            let flags = OrderFlags(rawValue: .random(in: 0..<32, using: &random))
            let found = try query.find().map(\.id)
            try check(query.sections(by: \.weight, flags: flags), found) { one, other in
                one == other || one?.isNaN == true && other?.isNaN == true
            }
            try check(query.sections(by: \.price, flags: flags), found) { $0 == $1 }
            try check(query.sections(by: \.nick, flags: flags), found) { $0 == $1 }
            try check(query.sections(by: \.isOpen, flags: flags), found) { $0 == $1 }
        }
    }

    private func check<Key>(
        _ sections: [QuerySection<Key, Item>], _ found: [Id], _ areEqual: (Key, Key) -> Bool
    ) {
        #expect(sections.flatMap { $0.map(\.id) }.sorted() == found.sorted())
        var places: [Id: Int] = [:]
        for (place, id) in found.enumerated() { places[id] = place }
        for (index, section) in sections.enumerated() {
            #expect(!section.isEmpty)
            let order = section.compactMap { places[$0.id] }
            #expect(order == order.sorted())
            for other in sections[..<index] { #expect(!areEqual(section.key, other.key)) }
        }
    }

    private func item(_ random: inout SeededGenerator) -> Item {
        var item = Item()
        let weights: [Double?] = [nil, 0, -0.0, .nan, 1, -2.5, .infinity]
        item.weight = weights[Int.random(in: 0..<weights.count, using: &random)]
        let prices: [Decimal] = [.nan, 0, 1, -3]
        item.price = prices[Int.random(in: 0..<prices.count, using: &random)]
        let nicks: [String?] = [nil, "", "a", "A", "b", "\u{E9}"]
        item.nick = nicks[Int.random(in: 0..<nicks.count, using: &random)]
        item.size = .random(in: -3...3, using: &random)
        item.isOpen = .random(using: &random)
        return item
    }

    private func query(_ random: inout SeededGenerator) -> Query<Item> {
        var query = Bool.random(using: &random) ? all : box.query { $0.size > -2 }
        let flags = OrderFlags(rawValue: .random(in: 0..<32, using: &random))
        switch Int.random(in: 0..<4, using: &random) {
        case 0: query = query.ordered(by: \.nick, flags: flags)
        case 1: query = query.ordered(by: \.weight, flags: flags)
        case 2: query = query.ordered(by: \.price, flags: flags).ordered(by: \.size, flags: flags)
        default: break
        }
        if .random(using: &random) { query = query.offset(.random(in: 0...10, using: &random)) }
        if .random(using: &random) { query = query.limit(.random(in: 0...30, using: &random)) }
        return query
    }
}
