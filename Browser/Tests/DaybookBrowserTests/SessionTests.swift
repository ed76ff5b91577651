import HTTPTypes
import Hummingbird
import Testing

@testable import DaybookBrowser

@Suite struct SessionTests {
    @Test func `no data is answered without a session`() async throws {
        try await TestedServer.run { client in
            var stranger = client
            for cookie in [nil, "daybook-\(TestedServer.port)=", "daybook-1=\(client.token)"] {
                stranger.cookie = cookie
                for path in ["store", "objects?entity=Person", "export?text=Person", "state"] {
                    for prefix in ["/api/", "//api/", "/api//", "/api/./../api/"] {
                        let response = try await stranger.response(prefix + path)
                        #expect([.unauthorized, .notFound].contains(response.status))
                    }
                    let problem = try await stranger.problem("/api/\(path)", .unauthorized)
                    #expect(problem.message.contains("token"))
                }
            }
            let page = try await stranger.response("/")
            #expect(page.status == .ok)
        }
    }

    @Test func `only the token of the server begins a session`() async throws {
        try await TestedServer.run { client in
            var stranger = client
            stranger.cookie = nil
            for token in ["", "0", String(client.token.dropLast()), client.token + "0"] {
                let response = try await stranger.post(
                    "/api/session", SessionRequest(token: token))
                #expect(response.status == .unauthorized)
                #expect(response.headers[.setCookie] == nil)
            }
            let response = try await stranger.post(
                "/api/session", SessionRequest(token: client.token))
            let cookie = try #require(response.headers[.setCookie])
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
            #expect(!cookie.contains(client.token))
        }
    }

    @Test func `a form with the token begins a session`() async throws {
        try await TestedServer.run { client in
            func send(_ token: String) async throws -> TestedResponse {
                try await client.send(
                    .post, "/session",
                    [.contentType: "application/x-www-form-urlencoded", .origin: "null"],
                    ByteBuffer(string: "token=\(token)"))
            }
            let response = try await send(client.token)
            #expect(response.status == .ok)
            #expect(response.headers[.setCookie]?.contains("SameSite=Strict") == true)
            #expect(try await send("other").status == .unauthorized)
        }
    }

    @Test func `requests for other hosts are refused`() async throws {
        try await TestedServer.run { client in
            var other = client
            for host in [
                "example.org", "127.0.0.1", "127.0.0.1:1", "evil.localhost:4711", "localhost:4711",
            ] {
                other.host = host
                _ = try await other.problem("/api/store", .misdirectedRequest)
                #expect(try await other.response("/").status == .misdirectedRequest)
            }
        }
    }

    @Test func `pages of other servers read nothing, though they have the cookie`() async throws {
        try await TestedServer.run { client in
            for (site, status) in [
                ("same-site", HTTPResponse.Status.forbidden), ("cross-site", .forbidden),
                ("same-origin", .ok), ("none", .ok),
            ] {
                let response = try await client.send(
                    .get, "/api/store", [.fetchSite: site], ByteBuffer())
                #expect(response.status == status)
            }
        }
    }

    @Test func `requests from other sites change nothing`() async throws {
        try await TestedServer.run(allowsWrites: true) { client in
            let change = RemoveRequest(entity: "Person", id: "2", author: nil)
            let fields: [HTTPFields] = [
                [.origin: "http://example.org"], [.origin: "null"],
                [.contentType: "text/plain"], [.daybook: "other"],
            ]
            for headers in fields {
                let response = try await client.post("/api/remove", change, headers: headers)
                #expect(response.status == .forbidden)
            }
            let found = try await client.get(
                "/api/object?entity=Person&id=2", as: ObjectDescription.self)
            #expect(found.id == "2")
            let own = try await client.post(
                "/api/remove", change, headers: [.origin: "http://\(client.host)"])
            #expect(own.status == .ok)
        }
    }

    @Test func `every answer has the headers that keep hostile data harmless`() async throws {
        try await TestedServer.run { client in
            for path in ["/", "/api/store", "/api/object?entity=Person&id=999", "/nothing"] {
                let headers = try await client.response(path).headers
                let policy = headers[.contentSecurityPolicy] ?? ""
                #expect(policy.contains("default-src 'none'"), "\(path)")
                #expect(!policy.contains("unsafe"))
                #expect(headers[.xContentTypeOptions] == "nosniff")
                // Data of the store must not be left in the cache of the browser.
                #expect(headers[.cacheControl] == (path == "/" ? "no-cache" : "no-store"))
            }
        }
    }
}
