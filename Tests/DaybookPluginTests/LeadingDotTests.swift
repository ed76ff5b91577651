#if Macros
import Daybook
import Foundation
import Testing

/// Queries in ObjectBox's style, over entities with code from the plugin.
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

    /// Operators accept a leading dot. A method such as `startsWith`, and a property without a type
    /// annotation, need the name of the type.
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
