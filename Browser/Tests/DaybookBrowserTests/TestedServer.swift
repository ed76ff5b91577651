import Daybook
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
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

    /// Calls `body` with a client, and removes the store.
    static func run(
        allowsWrites: Bool = false, isHostile: Bool = false,
        _ body: @escaping @Sendable (TestedClient) async throws -> Void
    ) async throws {
        let tested = try TestedServer(allowsWrites: allowsWrites, isHostile: isHostile)
        defer { try? FileManager.default.removeItem(at: tested.folder) }
        let application = Application(router: tested.server.router(port: port))
        try await application.test(.router) { client in
            var signedIn = TestedClient(client: client, folder: tested.folder)
            let response = try await signedIn.post(
                "/api/session", SessionRequest(token: tested.server.token))
            #expect(response.status == .noContent)
            signedIn.cookie = response.headers[.setCookie]?.split(separator: ";").first
                .map(String.init)
            signedIn.token = tested.server.token
            try await body(signedIn)
        }
        try tested.server.close()
    }
}

/// Sends requests as the page does.
struct TestedClient: Sendable {
    let client: any TestClientProtocol
    let folder: URL
    var cookie: String?
    var token = ""
    var host = "127.0.0.1:\(TestedServer.port)"

    /// The answer to a GET request.
    func response(_ uri: String, headers: HTTPFields = [:]) async throws -> TestResponse {
        var headers = headers
        if let cookie { headers[.cookie] = cookie }
        headers[HTTPField.Name("Host")!] = host
        return try await client.execute(uri: uri, method: .get, headers: headers) { $0 }
    }

    /// The decoded answer to a GET request that succeeds.
    func get<Answer: Decodable>(_ uri: String, as type: Answer.Type = Answer.self) async throws -> Answer {
        let response = try await response(uri)
        #expect(response.status == .ok, "\(uri): \(String(buffer: response.body))")
        return try JSONDecoder().decode(type, from: Data(buffer: response.body))
    }

    /// The problem of a GET request that fails with a status.
    func problem(_ uri: String, _ status: HTTPResponse.Status) async throws -> Problem {
        let response = try await response(uri)
        #expect(response.status == status, "\(uri): \(String(buffer: response.body))")
        return try JSONDecoder().decode(Problem.self, from: Data(buffer: response.body))
    }

    /// The answer to a POST request of the page.
    func post(
        _ uri: String, _ body: some Encodable, headers extra: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[HTTPField.Name("X-Daybook")!] = "browse"
        headers[HTTPField.Name("Host")!] = host
        if let cookie { headers[.cookie] = cookie }
        for field in extra { headers[field.name] = field.value }
        return try await client.execute(
            uri: uri, method: .post, headers: headers,
            body: ByteBuffer(bytes: try JSONEncoder().encode(body))
        ) { $0 }
    }
}

extension String {
    /// The text as a part of a query of a URL.
    var escaped: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
