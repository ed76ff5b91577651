#if Macros
import Daybook
import Foundation
import Testing

/// Queries as they are written with ObjectBox, of entities that the plugin looks after.
@Suite struct LeadingDotTests {
    private let path = "memory:plugin-queries-\(UUID().uuidString)"

    private func filled() throws -> Store {
        let store = try Store(directoryPath: path)
        let users = ["Ada", "Bob", "Cid"].enumerated().map { number, name in
            let user = User()
            user.name = name
            user.email = "\(name)@example.org"
            user.logins = Int32(number)
            user.role = number == 0 ? .admin : .author
            return user
        }
        try store.box(for: User.self).put(users)
        return store
    }

    /// Operators take them; a method, such as `startsWith`, needs the name of the type, and so does
    /// a property without a written type.
    @Test func `conditions may begin with a dot`() throws {
        let store = try filled()
        let box = store.box(for: User.self)
        #expect(try box.query { .logins > 1 }.build().find().map(\.name) == ["Cid"])
        let query = try box.query {
            .logins < 2 && .email != "Bob@example.org" && User.role == .admin && .name != nil
                && !(.logins > 3) && .logins >= 0 && User.email.startsWith("A")
        }.build()
        #expect(try query.findUnique()?.name == "Ada")
        try store.close()
    }

    @Test func `conditions may name the type`() throws {
        let store = try filled()
        let box = store.box(for: User.self)
        let query = box.query { User.logins < 2 && User.role == .author }
        #expect(try query.build().find().map(\.email) == ["Bob@example.org"])
        #expect(try box.query { $0.name == "Ada" }.ordered(by: User.logins).count() == 1)
        try store.close()
    }
}
#endif
