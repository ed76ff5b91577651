import Daybook
import DaybookTestSupport
import Foundation
import Testing

/// A store in the resources of a bundle: a directory that cannot be written.
@Suite struct PrefilledStoreTests {
    private let directory = TemporaryDirectory()

    /// Makes the directory and its files read-only, or writable again.
    private func protect(_ isProtected: Bool) throws {
        let files = try directory.names.map { directory.path + "/" + $0 }
        for path in files + [directory.path] {
            let mode = path == directory.path ? 0o555 : 0o444
            try FileManager.default.setAttributes(
                [.posixPermissions: isProtected ? mode : 0o755], ofItemAtPath: path)
        }
    }

    /// The bytes of all files, by name.
    private func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try directory.names {
            contents[name] = try Data(contentsOf: directory.url.appendingPathComponent(name))
        }
        return contents
    }

    @Test func `a prefilled store is opened from a bundle and changes no file`() throws {
        let store = try Store.withContacts(directory.path)
        try store.box(for: Contact.self).put(Contact(email: "old@x"))
        _ = try store.compact(keeping: .latest)
        try store.close()
        try protect(true)
        defer { try? protect(false) }
        let files = try contents()
        // The store is a resource: a bundle finds it by its name.
        let folder = directory.url.deletingLastPathComponent()
        let bundle = try #require(Bundle(url: folder))
        let url =
            bundle.url(forResource: directory.url.lastPathComponent, withExtension: nil)
            ?? directory.url
        var options = StoreOptions()
        options.isReadOnly = true
        options.refreshInterval = .zero
        let prefilled = try Store(
            directory: url, entities: Contact.self, Home.self, Spot.self, options: options)
        let contacts = prefilled.box(for: Contact.self)
        #expect(try contacts.get(1) == .ann)
        #expect(try contacts.get(key: "old@x") != nil)
        #expect(try prefilled.query("Contact where age > 18").count() == 2)
        expectError(.readOnly) { try contacts.put(Contact(email: "new@x")) }
        expectError(.readOnly) { try prefilled.rows(of: "Contact").put(["email": "new@x"]) }
        try prefilled.close()
        #expect(try contents() == files)
    }

    @Test func `a copy of a prefilled store can be written`() throws {
        try Store.withContacts(directory.path).close()
        try protect(true)
        defer { try? protect(false) }
        let copy = TemporaryDirectory()
        try FileManager.default.copyItem(atPath: directory.path, toPath: copy.path)
        for name in try copy.names {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: copy.path + "/" + name)
        }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: copy.path)
        let store = try Store(path: copy.path, entities: [])
        #expect(try store.rows(of: "Contact").put(["email": "new@x"]) > 3)
        try store.close()
    }
}
