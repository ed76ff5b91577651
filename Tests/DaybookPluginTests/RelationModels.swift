import DaybookObjectBox

class Customer: Entity {
    var id: Id = 0
    var name = ""
    // objectbox: backlink = "customer"
    var orders: ToMany<Order> = nil

    required init() {}
}

class Order: Entity {
    var id: Id = 0
    var customer: ToOne<Customer> = nil
    var summary: String = ""

    init(summary: String, customer: ToOne<Customer> = nil) {
        self.summary = summary
        self.customer = customer
    }

    required init() {}
}

class Teacher: Entity {
    var id: Id = 0
    // objectbox: backlink = "teachers"
    var students: ToMany<Student> = nil

    required init() {}
}

class Student: Entity {
    var id: Id = 0
    var teachers: ToMany<Teacher> = nil

    required init() {}
}

final class TreeNode: Entity {
    var id: Id = 0
    var parent: ToOne<TreeNode> = nil
    // objectbox: backlink = "parent"
    var children: ToMany<TreeNode> = nil
}

final class Drawer: Entity {
    var id: Id = 0
    // objectbox: relation = {"onDelete": "cascade", "onTargetDelete": "deny"}
    var papers: ToMany<Paper> = nil
}

final class Paper: Entity {
    var id: Id = 0
}
