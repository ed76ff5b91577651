#if Macros
import Daybook
import Testing

// The programs of the guide on querying.

@Entity final class Employee {
    var id: Id = 0
    @Index(.value) var name = ""
    @Index var age = 0
    var email: String?
    var employer: ToOne<Company> = nil

    init(_ name: String, age: Int) {
        self.name = name
        self.age = age
    }
}

/// The properties have the names of methods of conditions.
@Entity final class Company {
    var id: Id = 0
    var name: String
    var count = 0
    var link: String?
    var any = false
    var min: Int?
    @Backlink(\Employee.employer) var staff: ToMany<Employee> = nil

    init(_ name: String, count: Int = 0) {
        self.name = name
        self.count = count
    }
}

@Suite struct QueryGuideTests {
    private let directory = TemporaryDirectory()

    private func filled() throws -> Store {
        let store = try Store(directory: directory.url, entities: Employee.self, Company.self)
        let acme = Company("Acme", count: 7)
        let people = [("Sam", 17), ("Sue", 44), ("Bob", 70), ("Ada", 30)].map {
            Employee($0.0, age: $0.1)
        }
        people[1].employer.target = acme
        people[2].employer.target = acme
        try store.box(for: Employee.self).put(people)
        return store
    }

    @Test func `the programs of the guide on querying give the documented results`() throws {
        let store = try filled()
        let people = store.box(for: Employee.self)
        let built = try people.query { Employee.age >= 18 && Employee.name.startsWith("S") }
            .ordered(by: Employee.name).build()
        let adults = people.query { $0.age >= 18 && $0.name.startsWith("S") }.ordered(by: \.name)
        #expect(try built.find().map(\.name) == ["Sue"])
        #expect(try adults.limit(10).find().map(\.name) == ["Sue"])

        let named = try people.query {
            (Employee.age > 0).named("minimum") && Employee.name == ""
        }.build().setting("minimum", to: 21).setting(Employee.name, to: "Ada")
        let other = try named.setting("minimum", to: 65)
        #expect(try named.find().map(\.age) == [30])
        #expect(try other.find().isEmpty)

        let ages = people.query { $0.name.startsWith("S") }.property(\.age)
        #expect(try ages.average() == 30.5)
        #expect(try ages.distinct().find() == [17, 44])
        let employers = try people.query { $0.age > 18 }.groups(by: \.employer.name)
            .having { $0.count > 1 }.ordered(by: { $0.count }, flags: .descending)
            .find(.count, .max(\.age))
        #expect(employers.map(\.key) == ["Acme"])
        #expect(employers.map(\.values.0) == [2])
        #expect(employers.map(\.values.1) == [70])
        try store.close()
    }

    @Test func `the programs of the guide for updates and pages give the documented results`()
        throws
    {
        let store = try filled()
        let people = store.box(for: Employee.self)
        let count = try people.query { $0.age < 18 }.update {
            $0.name = $0.name + " (minor)"
            $0.age += 1
            $0.email = nil
        }
        #expect(count == 1)
        #expect(try people.query { $0.age == 18 }.find().map(\.name) == ["Sam (minor)"])
        let sorted = people.query { $0.age >= 18 }.ordered(by: \.name)
        var page = try sorted.page(limit: 3)
        #expect(page.objects.map(\.name) == ["Ada", "Bob", "Sam (minor)"])
        while page.hasMore { page = try sorted.page(after: page.end, limit: 20) }
        #expect(page.objects.map(\.name) == ["Sue"])
        try people.query { $0.name == "Sue" }.update { $0.employer = nil }
        #expect(try people.query { $0.employer == nil }.count() == 3)
        try store.close()
    }

    @Test func `properties with the names of methods have conditions`() throws {
        let store = try filled()
        let people = store.box(for: Employee.self)
        let companies = store.box(for: Company.self)
        #expect(
            try companies.query {
                $0.count == 7 && $0.link == nil && $0.any == false && $0.min == nil
            }.count() == 1)
        #expect(
            try companies.query { Company.count > 6 && Company.any == false }.build().count() == 1)
        #expect(try people.query { $0.employer.count == 7 }.count() == 2)
        #expect(try people.query { $0.employer[member: \.link] == nil }.count() == 4)
        #expect(try people.query { $0.employer[member: \.min] == nil }.count() == 4)
        #expect(
            try people.query().ordered(by: Employee.employer[member: \.count]).build().count() == 4)
        try store.close()
    }
}
#endif
