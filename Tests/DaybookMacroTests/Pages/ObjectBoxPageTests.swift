#if Macros
import Daybook
import Foundation
import Testing

/// The models of ObjectBox's pages in real stores.
@Suite struct ObjectBoxPageTests {
    private let directory = TemporaryDirectory()

    /// Puts an object and reads it from the reopened store.
    private func again<E: Entity>(_ object: E, put count: Int = 1) throws -> E {
        var store = try Store(directory: directory.url, entities: E.self)
        let id = try store.box(for: E.self).put(object)
        try store.close()
        store = try Store(directory: directory.url, entities: E.self)
        defer { try? store.close() }
        return try #require(try store.box(for: E.self).get(id))
    }

    @Test func `the page on enums and custom types`() throws {
        #expect(try again(EnumsPage.EnumEntity(custom: .second)).custom == .second)
        let user = EnumsPage.User()
        user.role = .admin
        #expect(try again(user).role == .admin)
        #expect(try again(EnumsPage.Document(userNames: ["a", "b"])).userNames == ["a", "b"])
    }

    @Test func `the page's conditions on enums and custom types use raw values`() throws {
        typealias User = EnumsPage.User
        typealias Role = EnumsPage.Role
        let store = try Store(
            directory: directory.url, entities: User.self, EnumsPage.EnumEntity.self)
        defer { try? store.close() }
        let users = store.box(for: User.self)
        for role in [Role.default, .author, .admin] {
            let user = User()
            user.role = role
            try users.put(user)
        }
        #expect(try users.query { User.role == Role.admin.rawValue }.find().map(\.role) == [.admin])
        #expect(try users.query { User.role == 2 }.find().map(\.role) == [.admin])
        #expect(try users.query { User.role != 2 }.count() == 2)
        #expect(try users.query { User.role >= 1 && User.role < 2 }.find().map(\.role) == [.author])
        #expect(try users.query { User.role.isIn([0, 2]) }.count() == 2)
        let enums = store.box(for: EnumsPage.EnumEntity.self)
        try enums.put(EnumsPage.EnumEntity(custom: .second))
        let second = EnumsPage.TestEnum.second.rawValue
        #expect(try enums.query { EnumsPage.EnumEntity.custom == second }.count() == 1)
        #expect(try enums.query { $0.custom.isBetween(1, and: 199) }.count() == 0)
    }

    @Test func `the page on entity annotations`() throws {
        let user = AnnotationsPage.User()
        user.name = "Ada"
        user.screenName = "ada"
        user.temporaryUsageCounter = 7
        user.email = "ada@example.org"
        user.street = "Long Lane"
        user.city = "London"
        let found = try again(user)
        #expect(found.name == "Ada" && found.screenName == "ada" && found.email == user.email)
        #expect(found.street == "Long Lane" && found.city == "London")
        #expect(found.temporaryUsageCounter == 0)
        let properties = AnnotationsPage.User.entityDescription.properties.map(\.name)
        #expect(properties == ["name", "USERNAME", "email", "street", "city"])
    }

    @Test func `the page on ids`() throws {
        let counted = AnnotationsPage.Counted()
        counted.otherId = 5
        let found = try again(counted)
        #expect(found.number == 1 && found.otherId == 5)
        #expect(try again(AnnotationsPage.Signed()).number == 1)
        #expect(try again(AnnotationsPage.Typed()).id == 1)
        let assigned = AnnotationsPage.Assigned()
        assigned.id = 77
        #expect(try again(assigned).id == 77)
    }

    @Test func `the page on relations`() throws {
        let store = try Store(
            directory: directory.url, entities: RelationsPage.Customer.self,
            RelationsPage.Order.self, RelationsPage.Teacher.self, RelationsPage.Student.self,
            RelationsPage.TreeNode.self)
        let customer = RelationsPage.Customer()
        customer.name = "Ada"
        let order = RelationsPage.Order()
        order.customer.target = customer
        try store.box().put(order)
        let found = try #require(try store.box(for: RelationsPage.Order.self).get(order.id))
        #expect(found.customer.target?.name == "Ada")
        let ada = try #require(try store.box(for: RelationsPage.Customer.self).get(customer.id))
        #expect(ada.orders.map(\.id) == [order.id])

        let root = RelationsPage.TreeNode()
        root.children.append(RelationsPage.TreeNode())
        try store.box().put(root)
        let nodes = try store.box(for: RelationsPage.TreeNode.self).all()
        #expect(nodes.map(\.parent.targetId) == [nil, EntityId(root.id)])

        let (student, teacher) = (RelationsPage.Student(), RelationsPage.Teacher())
        student.teachers.append(teacher)
        try store.box().put(student)
        let taught = try #require(try store.box(for: RelationsPage.Teacher.self).get(teacher.id))
        #expect(taught.students.map(\.id) == [student.id])
        try store.close()
    }
}
#endif
