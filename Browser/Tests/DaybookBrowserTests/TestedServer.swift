import Daybook
import Foundation
import Hummingbird
import Testing

@testable import BrowseFixture
@testable import DaybookBrowser

/// A server of a store with the contents of the page's tests, without a network.
struct TestedServer {
    static let port = 4711
    let folder: URL
    let server: BrowserServer

    /// Creates a store with 30 persons and 40 commits.
    init(allowsWrites: Bool = false, isHostile: Bool = false) throws {
        folder = FileManager.default.temporaryDirectory
            .appending(component: "browser-\(UUID().uuidString)")
        let store = try Store(path: folder.path, entities: [Person.self, Team.self, Hostile.self])
        try Contents(store: store).write(personCount: 30, commitCount: 40)
        if isHostile { try Contents(store: store).writeHostile() }
        try store.close()
        server = BrowserServer(path: folder.path, allowsWrites: allowsWrites)
    }

    /// Calls `body` with a client that has a session, and removes the store.
    static func run(
        allowsWrites: Bool = false, isHostile: Bool = false,
        _ body: (TestedClient) async throws -> Void
    ) async throws {
        let tested = try TestedServer(allowsWrites: allowsWrites, isHostile: isHostile)
        defer { try? FileManager.default.removeItem(at: tested.folder) }
        var client = TestedClient(
            responder: tested.server.router(port: port).buildResponder(), folder: tested.folder,
            token: tested.server.token)
        let response = try await client.post(
            "/api/session", SessionRequest(token: tested.server.token))
        #expect(response.status == .noContent)
        client.cookie = response.headers[.setCookie]?.split(separator: ";").first.map(String.init)
        try await body(client)
        try await tested.server.close()
    }
}
