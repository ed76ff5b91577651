#if Macros
import Daybook
import Foundation
import Testing

@Suite struct RichEntityTests {
    private let directory = TemporaryDirectory()

    private func open() throws -> Store {
        try Store(
            directory: directory.url, entities: Task.self, Animal.self, Watched.self,
            Commented.self, Customer.self, Order.self, Garden.Plant.self)
    }

    @Test func `the values of all conversions are unchanged`() throws {
        let made = Date(timeIntervalSince1970: 1_700_000_000.125)
        var task = Task(
            title: "Ink", status: .open, next: .done, color: Color(red: 3, green: 4), made: made)
        task.all = [.open, .done]
        task.settings = Settings(level: 7, names: ["a"])
        task.more = Settings()
        task.ended = made
        task.home = Address(street: "Long", place: Place(latitude: 1, longitude: 2))
        task.other = [Address(street: "Short", city: "B")]
        task.labels = ["x", "y"]
        let store = try open()
        try store.box(for: Task.self).put(&task)
        #expect(task.key == 1)
        try store.close()
        let again = try open()
        #expect(try again.box(for: Task.self).get(1) == task)
        try again.close()
    }

    @Test func `descriptions contain the stored names`() {
        #expect(Task.entityDescription.name == "TASK")
        #expect(Task.entityDescription.properties.first?.name == "TITLE")
        #expect(Task.entityDescription.properties.count == 13)
        #expect(Commented.entityDescription.name == "COMMENTED")
        #expect(Commented.entityDescription.properties.map(\.name) == ["AGE", "status"])
        #expect(Reading.entityDescription.properties.map(\.name) == ["device", "celsius"])
        #expect(Address.entityDescription.properties.map(\.name) == ["street", "city", "place"])
    }

    @Test func `nested declarations may name types next to them`() throws {
        let store = try Store(
            directory: directory.url, entities: Nesting.Sheet.self, Nesting.Page.self)
        var sheet = Nesting.Sheet(mood: .wild, shade: .init(level: 7), moods: [.calm])
        sheet.extra.words = ["a"]
        try store.box(for: Nesting.Sheet.self).put(&sheet)
        #expect(try store.box(for: Nesting.Sheet.self).get(sheet.id) == sheet)
        let page = Nesting.Page()
        page.shade = .init(level: 3)
        try store.box(for: Nesting.Page.self).put(page)
        let found = try #require(try store.box(for: Nesting.Page.self).get(page.id))
        #expect(found.mood == .wild && found.shade.level == 3)
        try store.close()
    }

    @Test func `an open class is stored`() throws {
        let store = try open()
        let animal = Animal()
        animal.name = "Owl"
        try store.box(for: Animal.self).put(animal)
        #expect(try store.box(for: Animal.self).get(1)?.name == "Owl")
        try store.close()
    }

    @Test func `an observable class is stored without its observation registrar`() throws {
        let store = try open()
        let watched = Watched(count: 3)
        watched.name = "Ada"
        watched.draft = "not stored"
        try store.box(for: Watched.self).put(watched)
        let found = try #require(try store.box(for: Watched.self).get(1))
        #expect(found.name == "Ada" && found.count == 3 && found.draft == "")
        #expect(Watched.entityDescription.properties.map(\.name) == ["name", "count"])
        try store.close()
    }

    @Test func `relations and properties can be declared together`() throws {
        let store = try open()
        let ada = Customer()
        ada.email = "ada@example.org"
        try store.box(for: Customer.self).put(ada)
        let order = Order()
        order.customer = ToOne(targetId: ada.id)
        try store.box(for: Order.self).put(order)
        #expect(try store.box(for: Order.self).get(1)?.customer.targetId == ada.id)
        let found = try #require(try store.box(for: Customer.self).get(ada.id.value))
        #expect(found.orders.map(\.id) == [order.id] && found.again.map(\.id) == [order.id])
        #expect(Customer.entityDescription.properties.map(\.name) == ["email"])
        #expect(
            Order.entityDescription.properties.map(\.name) == ["number", "placed", "customer"])
        try store.close()
    }

    @Test func `types inside another type are found there`() throws {
        let store = try open()
        var plant = Garden.Plant(color: .green)
        plant.colors = [.red]
        plant.stem.length = 2
        try store.box(for: Garden.Plant.self).put(&plant)
        let found = try #require(try store.box(for: Garden.Plant.self).get(plant.id))
        #expect(found.color == .green && found.colors == [.red])
        #expect(found.leaf == nil && found.stem.length == 2)
        try store.close()
    }

    @Test func `an entity with a primary key has an invisible id`() {
        let account = Account(tenant: "a", number: 1)
        account.entityId = 5
        #expect(account.entityId == 0)
        let device = Device()
        device.entityId = 5
        #expect(device.entityId == 0)
        #expect(Account.entityDescription.properties.map(\.name) == ["tenant", "number", "name"])
    }

    @Test func `a macro reads the comments of its declaration`() throws {
        let store = try open()
        let object = Commented()
        object.age = 36
        object.scratch = "gone"
        try store.box(for: Commented.self).put(object)
        #expect(object.number == 1)
        let found = try #require(try store.box(for: Commented.self).get(1))
        #expect(found.age == 36 && found.status == .open && found.scratch == "")
        try store.close()
    }
}
#endif
