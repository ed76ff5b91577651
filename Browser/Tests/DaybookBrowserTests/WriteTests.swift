import Foundation
import Hummingbird
import Testing

@testable import DaybookBrowser

@Suite struct WriteTests {
    private func result(_ response: TestedResponse) throws -> WriteResult {
        #expect(response.status == .ok, "\(String(buffer: response.body))")
        return try JSONDecoder().decode(WriteResult.self, from: Data(buffer: response.body))
    }

    @Test func `an object is edited, removed, put back and undone, with an author`() async throws {
        try await TestedServer.run(allowsWrites: true) { client in
            let edit = PutRequest(
                entity: "Person", id: "2",
                values: [
                    WrittenValue(name: "name", text: "New name"),
                    WrittenValue(name: "born", text: "2001-02-03T04:05:06Z"),
                    WrittenValue(name: "email", text: nil),
                ],
                author: "Cleo")
            let edited = try result(try await client.post("/api/put", edit))
            #expect(edited.id == "2")
            func values() async throws -> [String: ShownValue] {
                let found = try await client.get(
                    "/api/object?entity=Person&id=2", as: ObjectDescription.self)
                return Dictionary(
                    uniqueKeysWithValues: found.properties.map { ($0.name, $0.value) })
            }
            #expect(try await values()["name"]?.text == "New name")
            #expect(try await values()["born"]?.text == "2001-02-03T04:05:06.000Z")
            #expect(try await values()["email"]?.kind == "null")
            let history = try await client.get(
                "/api/history?entity=Person&id=2", as: HistoryPage.self)
            #expect(history.versions[0].commit.author == "Cleo")
            #expect(history.versions[0].commit.sequence == edited.sequence)
            let old = history.versions[1].commit.sequence

            let removal = RemoveRequest(entity: "Person", id: "2", author: "Cleo")
            _ = try result(try await client.post("/api/remove", removal))
            _ = try await client.problem("/api/object?entity=Person&id=2", .notFound)
            #expect(try await client.post("/api/remove", removal).status == .notFound)

            let restore = RestoreRequest(entity: "Person", id: "2", sequence: old, author: "Cleo")
            let restored = try result(try await client.post("/api/restore", restore))
            #expect(try await values()["name"]?.text == "Grace Stone")

            let undo = UndoRequest(sequence: restored.sequence, author: "Cleo")
            _ = try result(try await client.post("/api/undo", undo))
            _ = try await client.problem("/api/object?entity=Person&id=2", .notFound)
            let page = try await client.get(
                "/api/commits?author=Cleo", as: DaybookBrowser.CommitPage.self)
            #expect(page.commits.count == 4)
        }
    }

    @Test func `bytes are edited as the hexadecimal digits that the page shows`() async throws {
        try await TestedServer.run(allowsWrites: true) { client in
            func put(_ text: String) async throws -> TestedResponse {
                try await client.post(
                    "/api/put",
                    PutRequest(
                        entity: "Person", id: "2",
                        values: [WrittenValue(name: "photo", text: text)], author: nil))
            }
            _ = try result(try await put("deadbeee"))
            let found = try await client.get(
                "/api/object?entity=Person&id=2", as: ObjectDescription.self)
            #expect(found.properties[5].value.text == "deadbeee")
            for text in ["dea", "xx", "+1", "0x00"] {
                let response = try await put(text)
                #expect(response.status == .badRequest)
            }
        }
    }

    @Test func `a new object gets an id`() async throws {
        try await TestedServer.run(allowsWrites: true) { client in
            let new = PutRequest(
                entity: "Team", id: nil, values: [WrittenValue(name: "title", text: "New")],
                author: nil)
            let response = try await client.post("/api/put", new)
            #expect(try result(response).id == "5")
        }
    }

    @Test func `bad values change nothing and name the property`() async throws {
        try await TestedServer.run(allowsWrites: true) { client in
            for (name, text) in [("age", "old"), ("born", "yesterday"), ("nothing", "1")] {
                let response = try await client.post(
                    "/api/put",
                    PutRequest(
                        entity: "Person", id: "2", values: [WrittenValue(name: name, text: text)],
                        author: nil))
                #expect(response.status == .badRequest)
                #expect(String(buffer: response.body).contains(name))
            }
            let missing = PutRequest(
                entity: "Person", id: "999", values: [WrittenValue(name: "age", text: "1")],
                author: nil)
            #expect(try await client.post("/api/put", missing).status == .notFound)
        }
    }

    @Test func `a read-only server changes nothing`() async throws {
        try await TestedServer.run { client in
            let response = try await client.post(
                "/api/remove", RemoveRequest(entity: "Person", id: "2", author: nil))
            #expect(response.status == .forbidden)
            #expect(String(buffer: response.body).contains("--allow-writes"))
        }
    }
}
