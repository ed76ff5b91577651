import Daybook
import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import BrowseFixture
@testable import DaybookBrowser

@Suite struct AnswerTests {
    @Test func `the store is described with its entities and counts`() async throws {
        try await TestedServer.run { client in
            let store = try await client.get("/api/store", as: StoreDescription.self)
            #expect(store.path == client.folder.path)
            #expect(store.newest?.sequence == 41)
            #expect(store.oldest?.sequence == 1)
            #expect(!store.allowsWrites)
            #expect(store.entities.map(\.name) == ["Person", "Team", "Hostile"])
            let person = store.entities[0]
            #expect(person.count == 30)
            #expect(person.properties.map(\.name).prefix(2) == ["name", "age"])
            #expect(person.relations.map(\.target) == ["Person", "Team"])
            #expect(person.backlinks == [BacklinkDescription(entity: "Person", relation: "boss")])
            let early = try await client.get(
                "/api/schema?at=2", as: [DaybookBrowser.EntityDescription].self)
            #expect(early.map(\.count) == [0, 4, 0])
        }
    }

    @Test func `the history of the schema has its changes in words`() async throws {
        try await TestedServer.run { client in
            let changes = try await client.get(
                "/api/schema-history", as: [SchemaChangeLine].self)
            let team = try #require(changes.first { $0.entity == "Team" })
            #expect(team.differences == ["added the entity", "added title: string"])
            #expect(team.sequence == 1)
            let person = try #require(changes.first { $0.entity == "Person" })
            #expect(person.differences.contains("added teams: toMany<Team>"))
            #expect(person.differences.contains("added an index over name"))
        }
    }

    @Test func `a table is read page by page, at any moment`() async throws {
        try await TestedServer.run { client in
            var ids: [String] = []
            var after = "0"
            while true {
                let page = try await client.get(
                    "/api/objects?entity=Person&limit=7&after=\(after)", as: ObjectPage.self)
                #expect(page.count == 30)
                ids += page.rows.compactMap(\.id)
                guard let next = page.next else { break }
                after = next
            }
            #expect(ids == (1...30).map(String.init))
            let now = try await client.get(
                "/api/objects?entity=Person&limit=2", as: ObjectPage.self)
            let before = try await client.get(
                "/api/objects?entity=Person&limit=2&at=3", as: ObjectPage.self)
            #expect(now.columns == before.columns)
            let boss = try #require(now.columns.firstIndex(of: "boss"))
            #expect(now.rows[1].values[boss].text == "Person:1")
            #expect(before.rows[1].values[boss].kind == "null")
        }
    }

    @Test func `a query has objects, groups, a plan, or the place of its error`() async throws {
        try await TestedServer.run { client in
            let text = "Person where age > 30 order by age desc"
            let found = try await client.get(
                "/api/query?limit=5&text=\(text.escaped)", as: QueryResult.self)
            let age = try #require(found.columns.firstIndex(of: "age"))
            let ages = found.rows.compactMap { Int($0.values[age].text) }
            #expect(found.areObjects && found.hasMore && ages.count == 5)
            #expect(ages == ages.sorted(by: >))
            let limited = try await client.get(
                "/api/query?text=\("\(text) limit 2".escaped)", as: QueryResult.self)
            #expect(limited.rows.count == 2 && !limited.hasMore)
            let form = try await client.get(
                "/api/query?limit=5&text=Person+where+age+%3E+30+order+by+age+desc",
                as: QueryResult.self)
            #expect(form == found)
            let groups = try await client.get(
                "/api/query?text=\("Person group by age select age, count as number".escaped)",
                as: QueryResult.self)
            #expect(!groups.areObjects && groups.columns.last == "number")
            let plan = try await client.get(
                "/api/plan?text=\("Person where age > 30".escaped)", as: PlanStep.self)
            #expect(plan.found != nil)
            let problem = try await client.problem(
                "/api/query?text=\("Person where agee > 30".escaped)", .badRequest)
            #expect(problem.offset == 13)
            #expect(problem.message.contains("age"))
        }
    }

    @Test func `an object has values, links in both directions, and a history`()
        async throws
    {
        try await TestedServer.run { client in
            let found = try await client.get(
                "/api/object?entity=Person&id=1", as: ObjectDescription.self)
            #expect(
                found.properties.map(\.name) == ["name", "age", "email", "born", "notes", "photo"])
            #expect(found.properties[0].value.text == "Ada Stone")
            #expect(found.properties[3].value.text == "1970-01-01T00:00:00.000Z")
            #expect(found.properties[5].value.image == "image/png")
            #expect(found.backlinks.map(\.ids) == [["2", "3"]])
            let history = try await client.get(
                "/api/history?entity=Person&id=1&limit=2", as: HistoryPage.self)
            var versions = history.versions
            var next = history.next
            while let before = next {
                let page = try await client.get(
                    "/api/history?entity=Person&id=1&limit=2&before=\(before)", as: HistoryPage.self
                )
                versions += page.versions
                next = page.next
            }
            #expect(versions.last?.kind == "insert")
            #expect(versions.last?.commit.author == "Ann")
            #expect(versions.first?.kind == "update")
            #expect(versions.first?.changes.map(\.name).contains("age") == true)
            let sequences = versions.map(\.commit.sequence)
            #expect(sequences == Array(Set(sequences)).sorted(by: >))
            // A page that no page before it prepared: from a moment in the past.
            for before in [sequences[0], sequences[1], sequences[1] + 1, 1] {
                let page = try await client.get(
                    "/api/history?entity=Person&id=1&limit=50&before=\(before)",
                    as: HistoryPage.self)
                #expect(page.versions.map(\.commit.sequence) == sequences.filter { $0 < before })
            }
            let missing = try await client.problem("/api/object?entity=Person&id=999", .notFound)
            #expect(missing.message.contains("999"))
        }
    }

    @Test func `commits are listed, filtered, opened and compared`() async throws {
        try await TestedServer.run { client in
            let page = try await client.get(
                "/api/commits?limit=3&author=Bob", as: DaybookBrowser.CommitPage.self)
            #expect(page.commits.count == 3)
            #expect(page.commits.allSatisfy { $0.author == "Bob" })
            let teams = try await client.get(
                "/api/commits?entity=Team&kind=insert", as: DaybookBrowser.CommitPage.self)
            #expect(teams.commits.map(\.sequence) == [2])
            #expect(teams.commits.first?.metadata.first?.value == "first import")
            let commit = try await client.get("/api/commit?sequence=4", as: CommitDescription.self)
            #expect(commit.objects.count + commit.links.count > 20)
            #expect(commit.links.first?.relation.hasPrefix("Person.") == true)
            let some = try await client.get(
                "/api/commit?sequence=4&limit=5", as: CommitDescription.self)
            #expect(some.objects.count + some.links.count == 5 && some.hasMore)
            let changes = try await client.get(
                "/api/compare?entity=Person&from=4&limit=2", as: Comparison.self)
            #expect(changes.updated > 2 && changes.objects.count == 2 && changes.hasMore)
            #expect(changes.objects.allSatisfy { !$0.changes.isEmpty })
            _ = try await client.problem("/api/commit?sequence=999", .notFound)
            _ = try await client.problem("/api/objects?entity=Person&at=999", .badRequest)
        }
    }

    @Test func `a moment is found by its time`() async throws {
        try await TestedServer.run { client in
            let commits = try await client.get("/api/commits", as: DaybookBrowser.CommitPage.self)
            let newest = try #require(commits.commits.first)
            let found = try await client.get(
                "/api/moment?microseconds=\(newest.microseconds)", as: Moment.self)
            #expect(found.sequence == newest.sequence)
            _ = try await client.problem("/api/moment?microseconds=0", .notFound)
            _ = try await client.problem("/api/moment?microseconds=x", .badRequest)
        }
    }

    @Test func `values and results are downloaded whole`() async throws {
        try await TestedServer.run(isHostile: true) { client in
            let text = try await client.response("/api/value?entity=Hostile&id=7&property=text")
            #expect(text.body.readableBytes == 1_000_000)
            #expect(text.headers[.contentType] == "application/octet-stream")
            #expect(text.headers[.contentDisposition] == "attachment; filename=\"text-7\"")
            for (property, whole) in [
                ("born", "1970-01-01T00:00:00.000Z"), ("age", "20"), ("notes", ""),
            ] {
                let value = try await client.response(
                    "/api/value?entity=Person&id=1&property=\(property)&at=3")
                #expect(String(buffer: value.body) == whole)
            }
            let image = try await client.response("/api/image?entity=Person&id=1&property=photo")
            #expect(Data(buffer: image.body) == Contents.picture)
            #expect(image.headers[.contentType] == "image/png")
            _ = try await client.problem("/api/image?entity=Person&id=1&property=name", .notFound)
        }
    }

    @Test func `long and many values are cut off`() async throws {
        try await TestedServer.run(isHostile: true) { client in
            let page = try await client.get("/api/objects?entity=Hostile", as: ObjectPage.self)
            #expect(page.rows[6].values[0].length == 1_000_000)
            #expect(page.rows[6].values[0].text.utf8.count == ShownValue.tableBytesMax)
            #expect(page.rows[0].values[0].text == "<script>alert('script')</script>")
            #expect(BrowsedStore.rowsMax(200, columnCount: 5_000) == 10)
            #expect(BrowsedStore.rowsMax(900, columnCount: 3) == 500)
            #expect(BrowsedStore.rowsMax(200, columnCount: 100_000) == 1)
            #expect(ShownValue.bytesMax(20_000, count: 10_000) == 400)
            #expect(ShownValue.bytesMax(20_000, count: 1) == 20_000)
            let list = ShownValue(["https://example.org", "a\"b"], bytesMax: 100)
            #expect(list.text == #"["https://example.org","a\"b"]"#)
            let cut = ShownValue(.text("aé🙂"), bytesMax: 5)
            #expect(cut.text == "aé" && cut.length == 7)
        }
    }
}
