@testable import Daybook
import DaybookRealm
import DaybookRealmModels
import DaybookTestSupport
import Foundation
import Testing

/// Objects that are read together with their related objects.
@Suite struct IncludingTests {
    private let home: RelationStore

    init() throws {
        home = try RelationStore()
        let (ada, bob) = (Customer("Ada"), Customer("Bob"))
        try home.orders.put([
            Order("Hat", customer: ada), Order("Shoes", customer: bob), Order("Gloves"),
            Order("Scarf", customer: ada),
        ])
    }

    @Test func `included relations are loaded, and objects share their common targets`() throws {
        let orders = try home.orders.including(\.customer).all()
        try home.customers.removeAll()
        let names = orders.map { $0.customer.known?.name }
        #expect(names == ["Ada", "Bob", nil, "Ada"])
        #expect(orders[0].customer.target === orders[3].customer.target)
        #expect(orders[2].customer.unread() == nil)
        try home.store.close()
    }

    @Test func `including follows paths of several relations`() throws {
        let box = home.customers.including(\.orders, then: \.customer)
        let customers = try box.get([2, 9, 1])
        try home.store.close()
        #expect(customers.map(\.name) == ["Bob", "Ada"])
        #expect(customers.map { $0.orders.map(\.summary) } == [["Shoes"], ["Hat", "Scarf"]])
        #expect(
            customers.flatMap { $0.orders.map { $0.customer.target?.name } } == [
                "Bob", "Ada", "Ada",
            ])
    }

    @Test func `including accepts several paths and later additions`() throws {
        let root = TreeNode("root")
        try home.nodes.put(TreeNode("leaf", parent: TreeNode("branch", parent: root)))
        let nodes = try home.nodes.including(\.parent, \.children).all()
        #expect(nodes.allSatisfy { $0.children.resolved && $0.parent.unread() == nil })
        let more = home.nodes.including(\.parent).including(\.children, then: \.children)
            .including(\.children)
        let found = try #require(try more.get(root.id))
        #expect(found.children.resolved && found.children[0].children.resolved)
        #expect(try more.get(99) == nil)
        try home.store.close()
    }

    @Test func `pending edits stay, and loaded relations are not read again`() throws {
        let customer = try #require(try home.customers.get(1))
        customer.orders.append(Order("new"))
        let other = try #require(try home.customers.get(2))
        let first = other.orders[0]
        let objects = try ToMany.load([customer.orders, other.orders])
        #expect(objects.map(\.summary) == ["Hat", "Scarf", "new", "Shoes"])
        #expect(other.orders[0] === first && customer.orders.hasPendingDbChanges)
        #expect(customer.orders.count == 3)
        try home.store.close()
    }

    @Test func `a path that is no relation is refused, and so are objects of two stores`() throws {
        let error = expectError(.invalidArgument) { _ = try home.orders.including(\.summary).all() }
        #expect(error?.details["path"]?.contains("summary") == true)
        let other = try RelationStore()
        try other.orders.put(Order("other", customer: Customer("Eve")))
        let mixed = try home.orders.all() + other.orders.all()
        expectError(.invalidArgument) { try ToOne.load(mixed.map(\.customer)) }
        #expect(try ToOne<Customer>.load([]).isEmpty)
        try other.store.close()
        try home.store.close()
    }

    @Test func `including loads lists and backlinks`() throws {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Owner.self)
        let (ada, rex) = (Owner("Ada"), Dog("Rex"))
        ada.dogs.append(objectsIn: [rex, Dog("Max"), rex])
        ada.friends.append(Owner("Bob"))
        try store.box().put(ada)
        let owners = try store.box(for: Owner.self).including(\.dogs, then: \.owners)
            .including(\.friends).all()
        let dogs = try store.box(for: Dog.self).including(\.owners).all()
        try store.close()
        #expect(owners[0].dogs.map(\.name) == ["Rex", "Max", "Rex"])
        #expect(owners[0].dogs[1].owners.map(\.firstName) == ["Ada"])
        #expect(owners[0].friends.map(\.firstName) == ["Bob"] && owners[1].friends.isEmpty)
        #expect(dogs.map { $0.owners.count } == [1, 1])
    }

    @Test func `including has an async call`() async throws {
        let orders = try await home.orders.including(\.customer).all()
        #expect(orders.map { $0.customer.known?.name } == ["Ada", "Bob", nil, "Ada"])
        let box = home.customers.including(\.orders, then: \.customer)
        let customer = try #require(try await box.get(1))
        #expect(customer.orders.resolved && customer.orders[1].customer.known?.name == "Ada")
        #expect(try await box.get([1, 2]).count == 2)
        try await home.store.close()
    }
}
