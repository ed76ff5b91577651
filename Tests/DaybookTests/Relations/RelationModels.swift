import Daybook

// Models with relations. The conformances contain the code that is generated for other entities.

final class Customer: Entity {
    var id: Id = 0
    var name: String
    var orders: ToMany<Order> = nil

    init(_ name: String = "") { self.name = name }

    static let entityDescription = EntityDescription(
        "Customer", [.property("name", String.self)],
        .backlink("orders", \Order.customer, "customer"))
    static func decode(_ row: borrowing RowReader) throws -> Customer {
        let object = Customer(try row.read(0))
        object.id = row.id
        object.orders = row.backlink(0)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(name, at: 0)
        try row.write(orders, backlink: 0)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

final class Order: Entity {
    var id: Id = 0
    var summary: String
    var customer: ToOne<Customer> = nil

    init(_ summary: String = "", customer: Customer? = nil) {
        self.summary = summary
        if let customer { self.customer = ToOne(customer) }
    }

    static let entityDescription = EntityDescription(
        "Order", [.property("summary", String.self), .property("customer", ToOne<Customer>.self)])
    static func decode(_ row: borrowing RowReader) throws -> Order {
        let object = Order(try row.read(0))
        object.id = row.id
        object.customer = try row.read(1)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        if summary == "unstorable" { throw Refusal(number: 7) }
        try row.write(summary, at: 0)
        try row.write(customer, at: 1)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

final class Teacher: Entity {
    var id: Id = 0
    var name: String
    var students: ToMany<Student> = nil

    init(_ name: String = "") { self.name = name }

    static let entityDescription = EntityDescription(
        "Teacher", [.property("name", String.self)],
        .backlink("students", \Student.teachers, "teachers"))
    static func decode(_ row: borrowing RowReader) throws -> Teacher {
        let object = Teacher(try row.read(0))
        object.id = row.id
        object.students = row.backlink(0)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(name, at: 0)
        try row.write(students, backlink: 0)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

final class Student: Entity {
    var id: Id = 0
    var name: String
    var teachers: ToMany<Teacher> = nil

    init(_ name: String = "") { self.name = name }

    static let entityDescription = EntityDescription(
        "Student", [.property("name", String.self), .property("teachers", ToMany<Teacher>.self)])
    static func decode(_ row: borrowing RowReader) throws -> Student {
        let object = Student(try row.read(0))
        object.id = row.id
        object.teachers = try row.read(1)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(name, at: 0)
        try row.write(teachers, at: 1)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

final class TreeNode: Entity {
    var id: Id = 0
    var name: String
    var parent: ToOne<TreeNode> = nil
    var children: ToMany<TreeNode> = nil

    init(_ name: String = "", parent: TreeNode? = nil) {
        self.name = name
        if let parent { self.parent = ToOne(parent) }
    }

    static let entityDescription = EntityDescription(
        "TreeNode", [.property("name", String.self), .property("parent", ToOne<TreeNode>.self)],
        .backlink("children", \TreeNode.parent, "parent"))
    static func decode(_ row: borrowing RowReader) throws -> TreeNode {
        let object = TreeNode(try row.read(0))
        object.id = row.id
        object.parent = try row.read(1)
        object.children = row.backlink(0)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(name, at: 0)
        try row.write(parent, at: 1)
        try row.write(children, backlink: 0)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

/// A struct with relations.
struct Parcel: Entity {
    var id: Id = 0
    var label = ""
    var sender: ToOne<Customer> = nil
    var notes: ToMany<Note> = nil

    static let entityDescription = EntityDescription(
        "Parcel",
        [
            .property("label", String.self), .property("sender", ToOne<Customer>.self),
            .property("notes", ToMany<Note>.self),
        ])
    static func decode(_ row: borrowing RowReader) throws -> Parcel {
        Parcel(
            id: row.id, label: try row.read(0), sender: try row.read(1), notes: try row.read(2))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(label, at: 0)
        try row.write(sender, at: 1)
        try row.write(notes, at: 2)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}
