@testable import Daybook
import DaybookTestSupport
import DaybookTesting
import Foundation
import Testing

/// A table as a list view has it: its rows change only by the positions in change sets.
private struct Table {
    struct Row: Equatable {
        var id: Id
        var summary: String
        var customer: Id?

        init(_ order: Order) {
            (id, summary) = (order.id, order.summary)
            customer = order.customer.targetId?.value
        }
    }

    private(set) var rows: [Row]

    init(_ orders: [Order]) { rows = orders.map(Row.init) }

    /// Applies a change as a batch update: reloads by the old positions, removals from the last to
    /// the first, insertions from the first to the last. Returns false for a position that is out
    /// of range.
    mutating func apply(_ change: ChangeSet<Order>) -> Bool {
        let objects = Dictionary(uniqueKeysWithValues: change.objects.map { ($0.id, $0) })
        for place in change.modifications {
            guard rows.indices.contains(place), let object = objects[rows[place].id] else {
                return false
            }
            rows[place] = Row(object)
        }
        for place in (change.deletions + change.moves.map(\.from)).sorted(by: >) {
            guard rows.indices.contains(place) else { return false }
            rows.remove(at: place)
        }
        for place in (change.insertions + change.moves.map(\.to)).sorted() {
            guard place <= rows.count, change.objects.indices.contains(place) else { return false }
            rows.insert(Row(change.objects[place]), at: place)
        }
        return true
    }
}

/// Random commits and random queries.
private struct RandomOrders {
    private let orders: Box<Order>
    private let customers: Box<Customer>
    private let customerIds: [Id]
    private let store: Store
    var random: SeededGenerator

    init(_ store: Store, seed: UInt64) throws {
        self.store = store
        (orders, customers) = (store.box(), store.box())
        customerIds = try customers.put(["Ada", "Bob", "Eve"].map { Customer($0) })
        random = SeededGenerator(seed: seed)
    }

    mutating func query() -> Query<Order> {
        let letter = letter()
        var query: Query<Order> =
            switch Int.random(in: 0..<5, using: &random) {
            case 0: orders.query { $0.summary < letter }
            case 1: orders.query { $0.customer.name == "Ada" }
            case 2: orders.query { !($0.customer.name < letter.uppercased()) }
            case 3: orders.query { $0.summary != letter }
            default: orders.query()
            }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: query = query.ordered(by: \.summary)
        case 1: query = query.ordered(by: \.summary, flags: .descending)
        case 2: query = query.ordered(by: \.customer.name).ordered(by: \.summary)
        default: break
        }
        if Bool.random(using: &random) {
            query = query.limit(Int.random(in: 0...6, using: &random))
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
            query = query.offset(Int.random(in: 0...3, using: &random))
        }
        return query
    }

    private mutating func letter() -> String {
        ["a", "c", "e", "g"].randomElement(using: &random) ?? "a"
    }

    private mutating func summary() -> String {
        "abcdefgh".randomElement(using: &random).map(String.init) ?? "a"
    }

    mutating func commit() throws {
        try store.write {
            for _ in 0..<Int.random(in: 1...3, using: &random) { try change() }
        }
    }

    private mutating func change() throws {
        let all = try orders.query().findIds().map(\.value)
        let order = try all.randomElement(using: &random).flatMap { try orders.get($0) }
        switch (Int.random(in: 0..<7, using: &random), order) {
        case (0...2, let order?) where all.count > 3: try orders.remove(order.id)
        case (3, let order?):
            order.summary = summary()
            try orders.put(order)
        case (4, let order?):
            order.customer =
                customerIds.randomElement(using: &random)
                .map { ToOne(targetId: EntityId($0)) } ?? nil
            try orders.put(order)
        case (5, _):
            guard let id = customerIds.randomElement(using: &random) else { return }
            let customer = Customer(["Ada", "Bob", "Eve"].randomElement(using: &random) ?? "Ada")
            customer.id = id
            try customers.put(customer)
        default:
            let order = Order(summary())
            order.customer = ToOne(targetId: EntityId(customerIds[0]))
            if all.count < 12 { try orders.put(order) }
        }
    }
}

@Suite struct TableTests {
    /// Each history begins with the result of a random query. After each step, a commit or an
    /// exchange of the query or both, the table has what `find()` returns.
    @Test(arguments: Seeds.first(20))
    func `a table that applies the change sets has the result`(seed: UInt64) async throws {
        var options = StoreOptions()
        options.isMaintenanceAutomatic = false
        let store = try await Store(
            path: "memory:table-\(UUID().uuidString)", entities: [Order.self, Customer.self],
            options: options)
        let queries = try #require(store.types.liveQueries)
        var source = try RandomOrders(store, seed: seed)
        var changeCount = 0
        for history in 0..<(500 * Int(Seeds.rounds)) {
            let search = ExchangeableQuery(source.query())
            var steps = ResultSteps(search, .objects)
            var table = Table(try steps.beginHere({}).objects)
            for step in 0..<2 {
                let kind = Int.random(in: 0..<4, using: &source.random)
                if kind != 0 { try source.commit() }
                if kind == 1 { queries.catchUp() }
                if kind < 2 { search.query = source.query() }
                if kind > 1 { queries.catchUp() }
                if let update = try await steps.advance() {
                    guard case .update(let change) = update else { throw Refusal(number: 1) }
                    let isInRange = table.apply(change)
                    try #require(isInRange, "seed \(seed), history \(history), step \(step)")
                    changeCount += 1
                }
                let found = try await search.query.find().map(Table.Row.init)
                try #require(table.rows == found, "seed \(seed), history \(history), step \(step)")
            }
            steps.end()
        }
        #expect(changeCount > 250)
        try await store.close()
    }
}
