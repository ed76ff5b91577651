import Daybook
import Foundation
import Hummingbird
import Testing

@testable import BrowseFixture
@testable import DaybookBrowser

@Suite struct BadStoreTests {
    @Test func `a locked store is shown as soon as it is free`() async throws {
        try await TestedServer.run(allowsWrites: true) { client in
            let writer = try await Store(
                path: client.folder.path, entities: [Person.self, Team.self, Hostile.self])
            let problem = try await client.problem("/api/store", .internalServerError)
            #expect(problem.code == "locked")
            try await writer.close()
            let store = try await client.get("/api/store", as: StoreDescription.self)
            #expect(store.allowsWrites)
        }
    }

    @Test func `a directory without a store is a problem, not a crash`() async throws {
        try await TestedServer.run { client in
            try FileManager.default.removeItem(at: client.folder)
            try FileManager.default.createDirectory(
                at: client.folder, withIntermediateDirectories: true)
            let problem = try await client.problem("/api/store", .internalServerError)
            #expect(!problem.message.isEmpty)
        }
    }

    @Test func `a server with writes creates no store in an empty directory`() async throws {
        try await TestedServer.run(allowsWrites: true) { client in
            try FileManager.default.removeItem(at: client.folder)
            try FileManager.default.createDirectory(
                at: client.folder, withIntermediateDirectories: true)
            _ = try await client.problem("/api/store", .internalServerError)
            let names = try FileManager.default.contentsOfDirectory(atPath: client.folder.path)
            #expect(names.isEmpty)
        }
    }

    @Test func `a server that ends while it opens the store closes it`() async throws {
        try await TestedServer.run { client in
            let opening = StoreOpening(path: client.folder.path, allowsWrites: true)
            let opened = Task { try await opening.store() }
            while !opening.isOpening { await Task.yield() }
            try await opening.close()
            _ = try? await opened.value
            let writer = try await Store(
                path: client.folder.path, entities: [Person.self, Team.self, Hostile.self])
            try await writer.close()
            await #expect(throws: RequestProblem.self) { try await opening.store() }
        }
    }

    @Test func `the deletion of a shown store is a problem, not a crash`() async throws {
        try await TestedServer.run { client in
            _ = try await client.get("/api/store", as: StoreDescription.self)
            try FileManager.default.removeItem(at: client.folder)
            let response = try await client.response("/api/statistics")
            #expect(response.status != .ok)
            #expect(try await client.response("/").status == .ok)
        }
    }

    @Test func `the page follows the commits of a running program`() async throws {
        try await TestedServer.run { client in
            let before = try await client.get("/api/store", as: StoreDescription.self)
            let newest = try #require(before.newest?.sequence)
            let writer = try await Store(
                path: client.folder.path, entities: [Person.self, Team.self, Hostile.self])
            async let waiting = client.get("/api/state?after=\(newest)", as: Moment.self)
            try await writer.box(for: Team.self).put(Team(title: "Late"))
            let found = try await waiting
            #expect(found.sequence == newest + 1)
            try await writer.close()
        }
    }
}
