import Daybook
import DaybookObjectBox
import DaybookTestSupport
import Foundation
import Testing

/// ObjectBox's names of queries, property queries and parameters.
@Suite struct ObjectBoxQueryTests {
    @Test func `a builder orders, restricts and builds a query`() throws {
        let store = try RelationStore()
        let ada = Customer("Ada")
        try store.orders.put([
            Order("pen", customer: ada), Order("ink", customer: ada), Order("pen", customer: nil),
        ])
        let builder: QueryBuilder<Order> = store.orders.query { Order.summary == "pen" }
        let query = try builder.link(Order.customer) { Customer.name == "Ada" }
            .ordered(by: Order.id, flags: .descending).build()
        #expect(try query.findIds().map(\.value) == [1])
        let customers = try store.customers.query()
            .link(Customer.orders) { Order.summary == "ink" }.build()
        #expect(try customers.find().map(\.name) == ["Ada"])
    }

    @Test func `offset and limit of find apply in addition to the query's own`() throws {
        let store = try ItemStore()
        let query = try store.box.query { $0.id <= 5 }
            .ordered(by: Item.id, flags: .descending).build()
        #expect(try query.find(offset: 1, limit: 2).map(\.id) == [4, 3])
        #expect(try query.find(offset: 4).map(\.id) == [1])
        #expect(try query.find(offset: 9).isEmpty)
        #expect(try query.find(limit: 0).isEmpty)
        #expect(try query.findIds(limit: 1).map(\.value) == [5])
        #expect(try query.findIds(offset: 1, limit: 1).map(\.value) == [4])
        #expect(try query.limit(0).find(limit: 3).isEmpty)
        let part = query.offset(1).limit(3)
        #expect(try part.find(offset: 2, limit: 5).map(\.id) == [2])
        #expect(try part.find(offset: 3).isEmpty)
        for (offset, limit) in [(-1, 0), (0, -1), (Int.max, 0)] {
            let error = #expect(throws: DaybookError.self) {
                try query.offset(1).find(offset: offset, limit: limit)
            }
            #expect(error?.code == .invalidArgument)
            // The message mentions a negative number only if there is one.
            #expect(error?.message.contains("negative") == (offset < 0 || limit < 0))
        }
    }

    @Test func `the async twins find the same objects`() async throws {
        let store = try ItemStore()
        let part = store.box.query { $0.id <= 5 }.ordered(by: Item.id, flags: .descending)
            .offset(1).limit(3)
        #expect(try await part.find(offset: 2, limit: 5).map(\.id) == [2])
        #expect(try await part.find(limit: 1).map(\.id) == [4])
        #expect(try await part.findIds(offset: 1, limit: 5).map(\.value) == [3, 2])
        #expect(try await part.findIds(limit: 1).map(\.value) == [4])
        #expect(try await part.findContiguous().map(\.id) == [4, 3, 2])
        let exist = [try await part.exists(), try await part.limit(0).exists()]
        #expect(exist == [true, false])
    }

    @Test func `a query finds a contiguous array, and whether an object exists`() throws {
        let store = try ItemStore()
        let (some, none) = (store.box.query { $0.id == 4 }, store.box.query { $0.id == 0 })
        #expect(try some.findContiguous().map(\.id) == [4])
        #expect(try some.exists())
        #expect(try !none.exists())
    }

    @Test func `aggregates are numbers where a number is required`() throws {
        let store = try ItemStore()
        let (all, none) = (store.box.query(), store.box.query { $0.id == 0 })
        let sizes = store.items.map { Int($0.size) }
        let average: Double = try all.property(Item.size).average()
        #expect(abs(average - Double(sizes.reduce(0, +)) / Double(sizes.count)) < 0.000_1)
        let missing: Double = try none.property(Item.size).average()
        #expect(missing.isNaN)
        #expect(try none.property(Item.size).average() == nil)
        #expect(try all.property(Item.size).averageInt() == Int32(average))
        #expect(try none.property(Item.size).averageInt() == 0)
        #expect(try all.property(Item.size).sumInt() == sizes.reduce(0, +))
        #expect(
            try all.property(Item.id).sumUnsigned() == store.items.map(\.id).reduce(0, +))
    }

    @Test func `a condition has ObjectBox's name`() throws {
        let store = try ItemStore()
        let condition: QueryCondition<Item> = Item.size == 3
        try store.check(condition) { $0.size == 3 }
    }

    @Test func `property queries find values under ObjectBox's names`() throws {
        let store = try ItemStore()
        let all = store.box.query()
        #expect(try all.property(Item.name).findStrings() == store.items.map(\.name))
        #expect(
            try all.property(Item.nick).with(nullString: "-").findStrings()
                == store.items.map { $0.nick ?? "-" })
        #expect(try all.property(Item.name).findString() == store.items[0].name)
        let bob = store.box.query { $0.name == "Bob" }.property(Item.name)
        #expect(try bob.distinct(caseSensitiveCompare: false).findUniqueString() == "Bob")
        let weights = all.property(Item.weight).distinct()
        #expect(
            try weights.findDoubles().count(where: { !$0.isNaN })
                == Set(store.items.compactMap(\.weight).filter { !$0.isNaN }).count)
        expectError(.nonUniqueResult) { _ = try weights.findUniqueDouble() }
    }
}
