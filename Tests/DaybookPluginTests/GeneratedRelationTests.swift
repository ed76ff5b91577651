#if Macros
import Daybook
import Foundation
import Testing

@Suite struct GeneratedRelationTests {
    private let path = "memory:plugin-tests-\(UUID().uuidString)"

    @Test func `an order refers to its customer`() throws {
        let store = try Store(directoryPath: path)
        let ada = Customer()
        ada.name = "Ada"
        try store.box(for: Customer.self).put(ada)
        let order = Order(summary: "Shoes", customer: ToOne(targetId: EntityId(ada.id)))
        let id = try store.box(for: Order.self).put(order)
        let found = try #require(try store.box(for: Order.self).get(id))
        #expect(found.summary == "Shoes")
        #expect(found.customer.targetId == EntityId(ada.id))
        try store.close()
    }

    @Test func `a node of a tree refers to its parent and its children`() throws {
        let store = try Store(directoryPath: path)
        let box = store.box(for: TreeNode.self)
        let root = TreeNode()
        try box.put(root)
        let leaf = TreeNode()
        leaf.parent = ToOne(targetId: EntityId(root.id))
        try box.put(leaf)
        #expect(try box.get(leaf.id)?.parent.targetId == EntityId(root.id))
        #expect(try box.get(root.id)?.parent.hasValue == false)
        try store.close()
    }

    @Test func `students and teachers refer to each other`() throws {
        let store = try Store(directoryPath: path)
        let student = Student()
        student.teachers.append(contentsOf: [Teacher(), Teacher()])
        try store.box(for: Student.self).put(student)
        let teachers = try store.box(for: Teacher.self).all()
        #expect(teachers.count == 2)
        #expect(teachers.map { $0.students.map(\.id) } == [[student.id], [student.id]])
        #expect(try store.box(for: Student.self).get(student.id)?.teachers.count == 2)
        try store.close()
    }

    @Test func `delete rules in comments apply`() throws {
        let store = try Store(directoryPath: path)
        let drawer = Drawer()
        drawer.papers.append(Paper())
        try store.box(for: Drawer.self).put(drawer)
        let id = try #require(try store.box(for: Paper.self).all().first?.id)
        #expect(throws: DaybookError.self) { try store.box(for: Paper.self).remove(id) }
        try store.box(for: Drawer.self).remove(drawer.id)
        #expect(try store.box(for: Paper.self).count() == 0)
        try store.close()
    }

    @Test func `a row has no place for backlinks, and a place for every relation`() {
        #expect(Customer.entityDescription.properties.map(\.name) == ["name"])
        #expect(Order.entityDescription.properties.map(\.name) == ["customer", "summary"])
        #expect(Teacher.entityDescription.properties.isEmpty)
        #expect(Student.entityDescription.properties.map(\.name) == ["teachers"])
        #expect(TreeNode.entityDescription.properties.map(\.name) == ["parent"])
    }
}
#endif
